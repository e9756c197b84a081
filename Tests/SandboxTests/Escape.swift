import CSandbox
import Glibc
import Posix

/// What a confined thread must not be able to do.
enum Escape {
  /// What this thread could do, and what failed for another reason than that it may not, but for what is allowed.
  static func tried(except allowed: Set<String> = []) -> [String] {
    var escapes: [String] = []
    func attempt(_ what: String, _ body: () throws(PosixError) -> Void) {
      guard !allowed.contains(what) else { return }
      do throws(PosixError) {
        try body()
        escapes.append("\(what): done")
      } catch {
        if error.code != EPERM { escapes.append("\(what): \(error.message)") }
      }
    }
    attempt("read a file") { () throws(PosixError) in _ = try Descriptor.reading(path: "/etc/hosts") }
    attempt("write a file") { () throws(PosixError) in _ = try Descriptor.writing(path: "/tmp/halyard-escape")
    }
    attempt("look into a process") { () throws(PosixError) in
      _ = try Descriptor.reading(path: "/proc/1/stat/../environ")
    }
    attempt("make a directory") { () throws(PosixError) in try makeDirectory(path: "/tmp/halyard-escape") }
    attempt("listen") { () throws(PosixError) in _ = try Listener() }
    attempt("connect to a port") { () throws(PosixError) in _ = try StreamSocket.connect(port: 9) }
    attempt("receive datagrams") { () throws(PosixError) in
      _ = try DatagramSocket(receivingAt: "@halyard-escape")
    }
    attempt("start a program") { () throws(PosixError) in
      _ = try ChildProcess.start(path: "/bin/true", arguments: ["true"])
    }
    for (what, result) in calls() + descriptorCalls() where result != EPERM && !allowed.contains(what) {
      escapes.append("\(what): error \(result)")
    }
    return escapes
  }

  private static func error(_ result: Int32) -> Int32 { result < 0 ? errno : 0 }

  /// Calls that would fail otherwise too, with the error of each.
  private static func calls() -> [(what: String, error: Int32)] {
    var address = sockaddr()
    let size = socklen_t(MemoryLayout<sockaddr>.size)
    let page = sysconf(Int32(_SC_PAGESIZE))
    var calls: [(String, Int32)] = []
    unsafe calls.append(("connect", error(connect(-1, &address, size))))
    unsafe calls.append(("sendto", error(Int32(sendto(-1, &address, 1, 0, &address, size)))))
    calls.append(("accept", error(accept(-1, nil, nil))))
    calls.append(("listen", error(listen(-1, 1))))
    unsafe calls.append(("execv", error(execv("/nowhere", [nil]))))
    unsafe calls.append(("unlink", error(unlink("/nowhere"))))
    unsafe calls.append(("rename", error(rename("/nowhere", "/nowhere-else"))))
    unsafe calls.append(("symlink", error(symlink("/nowhere", "/nowhere/link"))))
    unsafe calls.append(("chmod", error(chmod("/nowhere", 0))))
    unsafe calls.append(("truncate", error(truncate("/nowhere", 0))))
    unsafe calls.append(("chdir", error(chdir("/nowhere"))))
    calls.append(("kill", error(kill(getppid(), 0))))
    let code = unsafe mmap(nil, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    unsafe calls.append(("mmap", code == MAP_FAILED ? errno : 0))
    let data = unsafe mmap(nil, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    unsafe calls.append(("mprotect", error(mprotect(data, page, PROT_READ | PROT_EXEC))))
    return calls
  }

  /// Calls by which an open descriptor would send signals to other processes, write over a log, or become another one.
  private static func descriptorCalls() -> [(what: String, error: Int32)] {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return [("pipe", errno)] }
    defer { for end in ends { close(end) } }
    let (setOwner, setSignal, setLease, notify) = (Int32(8), Int32(10), Int32(1_024), Int32(1_026))
    let duplicateClosingOnExec: Int32 = 1_030
    return [
      ("F_SETOWN", error(fcntl(ends[0], setOwner, getppid()))),
      ("F_SETSIG", error(fcntl(ends[0], setSignal, SIGURG))),
      ("O_ASYNC", error(fcntl(ends[0], F_SETFL, O_ASYNC))),
      ("O_ASYNC, not waiting", error(fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK))),
      ("F_SETLEASE", error(fcntl(ends[0], setLease, 0))), ("F_NOTIFY", error(fcntl(ends[0], notify, 0))),
      ("F_SETFL of a log", error(fcntl(2, F_SETFL, fcntl(2, F_GETFL) & O_ACCMODE | O_NONBLOCK))),
      ("lseek in a log", error(lseek(2, 0, SEEK_CUR) < 0 ? -1 : 0)), ("dup", error(dup(2))),
      ("dup2", error(dup2(2, ends[0]))), ("F_DUPFD", error(fcntl(2, F_DUPFD, 3))),
      ("F_DUPFD_CLOEXEC", error(fcntl(2, duplicateClosingOnExec, 3))),
    ]
  }

  /// Ends the process when something was possible.
  static func require(_ escapes: [String]) {
    guard !escapes.isEmpty else { return }
    for escape in escapes { print(escape) }
    exit(9)
  }

  /// The file that is read in place of a thread's state.
  static var standIn: Int32? {
    (3..<256).first { (file: Int32) in
      var target = [CChar](repeating: 0, count: 64)
      let count = unsafe readlink("/proc/self/fd/\(file)", &target, target.count)
      return count > 0
        && String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
          == "/memfd:state (deleted)"
    }
  }

  /// Gives all threads a filter that lets everything through, as a container's or a unit's does most.
  static func addFilter() {
    guard let filter = unsafe seccomp_init(csandbox_allow()) else { exit(7) }
    guard unsafe seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0, unsafe seccomp_load(filter) == 0
    else {
      exit(8)
    }
  }
}
