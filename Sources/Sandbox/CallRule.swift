/// A system call that a confined thread may make, and with which arguments. All others fail with EPERM.
struct CallRule: Hashable, Sendable {
  struct Condition: Hashable, Sendable {
    /// Which argument, from 0 on.
    var argument: UInt32
    /// The bits that are compared.
    var mask: UInt64 = .max
    var value: UInt64
  }

  enum Outcome: Hashable, Sendable {
    case allowed
    /// As on a kernel that does not know the call.
    case unknown
    /// The handler of the signal SIGSYS answers in the kernel's place.
    case answeredByHandler
  }

  var name: String
  var conditions: [Condition] = []
  var outcome = Outcome.allowed
}

extension CallRule {
  private static let mappingExecutable: UInt64 = 0x4
  private static let makingThread: UInt64 = 0x10000

  /// What decoding takes, with lanes that another thread makes.
  ///
  /// - Parameters:
  ///   - process: This process's id, the only one that signals may go to.
  ///   - standIn: The descriptor of the file that the handler answers with.
  static func decoding(process: Int32, standIn: Int32) -> [CallRule] {
    common(process: process) + answering(with: UInt64(standIn))
  }

  /// What every thread of a decoder takes.
  static func common(process: Int32) -> [CallRule] {
    memory + threads + signals(to: UInt64(process)) + time + descriptors + flags + facts
  }

  /// No memory becomes code.
  private static let memory =
    ["brk", "munmap", "mremap", "madvise"].map { CallRule(name: $0) }
    + ["mmap", "mprotect"].map {
      CallRule(name: $0, conditions: [Condition(argument: 2, mask: mappingExecutable, value: 0)])
    }

  /// New threads, and no new processes. glibc falls back from clone3, whose flags no filter can see, to clone.
  private static let threads =
    [
      "exit", "exit_group", "futex", "get_robust_list", "getpid", "gettid", "rseq", "sched_getaffinity",
      "sched_yield", "set_robust_list",
    ].map { CallRule(name: $0) } + [
      CallRule(
        name: "clone", conditions: [Condition(argument: 0, mask: makingThread, value: makingThread)]),
      CallRule(name: "clone3", outcome: .unknown),
      // PR_SET_NAME
      CallRule(name: "prctl", conditions: [Condition(argument: 0, value: 15)]),
    ]

  private static func signals(to process: UInt64) -> [CallRule] {
    ["restart_syscall", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "sigaltstack"].map
    {
      CallRule(name: $0)
    }
      + ["kill", "tgkill"].map {
        CallRule(name: $0, conditions: [Condition(argument: 0, value: process)])
      }
  }

  private static let time = [
    "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "time", "timerfd_create",
    "timerfd_gettime", "timerfd_settime", "times",
  ].map { CallRule(name: $0) }

  /// Descriptors that are open, and new ones that lead nowhere outside.
  private static let descriptors =
    [
      "close", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd2", "pipe",
      "pipe2", "poll", "ppoll", "pread64", "pselect6", "read", "readv", "recvfrom", "select", "write",
      "writev",
    ].map { CallRule(name: $0) } + [
      // A connected socket may send, and to no other address.
      CallRule(name: "sendto", conditions: [Condition(argument: 4, value: 0)]),
      // TCGETS, by which isatty() knows a terminal. Others could type into one.
      CallRule(name: "ioctl", conditions: [Condition(argument: 1, mask: 0xFFFF_FFFF, value: 0x5401)]),
    ]

  /// What fcntl() may do: a descriptor that has an owner sends signals to any process of this user, and a log that several
  /// processes write to must stay one that is only added to.
  private static let flags: [CallRule] =
    [Fcntl.getDescriptorFlags, .setDescriptorFlags, .getStatusFlags].map {
      CallRule(name: "fcntl", conditions: [$0.condition])
    }
    + aboveStreams(
      "fcntl",
      // O_NONBLOCK, beside the way it was opened.
      [
        Fcntl.setStatusFlags.condition, Condition(argument: 2, mask: 0xFFFF_FFFC, value: 0x800),
      ])

  private enum Fcntl: UInt64 {
    case getDescriptorFlags = 1
    case setDescriptorFlags = 2
    case getStatusFlags = 3
    case setStatusFlags = 4
    case duplicateClosingOnExec = 1_030

    var condition: Condition { Condition(argument: 1, value: rawValue) }
  }

  /// A call on any descriptor but the standard streams'. Of a descriptor the kernel reads 32 bits, so each of them is
  /// looked at.
  static func aboveStreams(_ name: String, _ conditions: [Condition] = []) -> [CallRule] {
    let descriptors =
      [Condition(argument: 0, mask: 3, value: 3)]
      + (2..<31).map { Condition(argument: 0, mask: 1 << $0, value: 1 << $0) }
    return descriptors.map { CallRule(name: name, conditions: [$0] + conditions) }
  }

  /// Who this is, and what the directory of a lane's socket is like.
  private static let facts =
    [
      "fstat", "getcwd", "getegid", "geteuid", "getgid", "getrandom", "getrusage", "getuid", "lstat",
      "newfstatat", "readlink", "readlinkat", "stat", "statx", "sysinfo", "uname",
    ].map { CallRule(name: $0) } + [
      // Limits are read, and not changed.
      CallRule(name: "prlimit64", conditions: [Condition(argument: 2, value: 0)])
    ]

  /// The handler answers with a copy of one file, read from its start.
  private static func answering(with standIn: UInt64) -> [CallRule] {
    let file = Condition(argument: 0, value: standIn)
    return ["open", "openat"].map { CallRule(name: $0, outcome: .answeredByHandler) } + [
      CallRule(name: "lseek", conditions: [file]),
      CallRule(name: "fcntl", conditions: [file, Fcntl.duplicateClosingOnExec.condition]),
    ]
  }
}
