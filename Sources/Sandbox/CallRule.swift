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
  /// - Parameter process: This process's id, the only one that signals may go to.
  static func decoding(process: Int32) -> [CallRule] {
    memory + threads + signals(to: UInt64(process)) + time + descriptors + facts + opening
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
      "close", "dup", "dup2", "dup3", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2",
      "epoll_wait",
      "eventfd2", "fcntl", "lseek", "pipe", "pipe2", "poll", "ppoll", "pread64", "pselect6", "read", "readv",
      "recvfrom", "select", "write", "writev",
    ].map { CallRule(name: $0) } + [
      // A connected socket may send, and to no other address.
      CallRule(name: "sendto", conditions: [Condition(argument: 4, value: 0)]),
      // TCGETS, by which isatty() knows a terminal. Others could type into one.
      CallRule(name: "ioctl", conditions: [Condition(argument: 1, mask: 0xFFFF_FFFF, value: 0x5401)]),
    ]

  /// Who this is, and what the directory of a lane's socket is like.
  private static let facts =
    [
      "fstat", "getcwd", "getegid", "geteuid", "getgid", "getrandom", "getrusage", "getuid", "lstat",
      "newfstatat", "readlink", "readlinkat", "stat", "statx", "sysinfo", "uname",
    ].map { CallRule(name: $0) } + [
      // Limits are read, and not changed.
      CallRule(name: "prlimit64", conditions: [Condition(argument: 2, value: 0)])
    ]

  private static let opening = ["open", "openat"].map { CallRule(name: $0, outcome: .answeredByHandler) }
}
