internal import CSandbox

/// Rules as a program for the kernel.
@safe
final class CallFilter {
  private let handle: scmp_filter_ctx

  init(_ rules: [CallRule]) throws(SandboxError) {
    guard let handle = unsafe seccomp_init(csandbox_refuse(UInt16(EPERM))) else {
      throw .failed(call: "seccomp_init", code: ENOMEM)
    }
    unsafe self.handle = unsafe handle
    // Looks a call up in a tree, where a list would cost more the further down its rule stands.
    try unsafe check(seccomp_attr_set(handle, SCMP_FLTATR_CTL_OPTIMIZE, 2), "seccomp_attr_set")
    for rule in rules { try add(rule) }
  }

  deinit { unsafe seccomp_release(handle) }

  private func add(_ rule: CallRule) throws(SandboxError) {
    let action =
      switch rule.outcome {
      case .allowed: csandbox_allow()
      case .unknown: csandbox_refuse(UInt16(ENOSYS))
      case .answeredByHandler: csandbox_trap()
      }
    let conditions = rule.conditions.map {
      scmp_arg_cmp(arg: $0.argument, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
    }
    try unsafe check(
      csandbox_add_rule(handle, action, rule.name, conditions, UInt32(conditions.count)), "seccomp_rule_add")
  }

  /// Makes it what threads of this process are confined by, together with a ruleset of Landlock, -1 being none.
  func install(with ruleset: Int32) throws(SandboxError) {
    try unsafe check(csandbox_take_filter(handle, ruleset), "seccomp_export_bpf")
  }

  /// The calling thread, and those that it makes, by this filter and a ruleset of Landlock, -1 being none.
  func confineThread(with ruleset: Int32) throws(SandboxError) {
    try unsafe check(csandbox_confine_this_thread_by(handle, ruleset), "seccomp")
  }
}

/// libseccomp returns the error number, negated.
private func check(_ code: Int32, _ call: String) throws(SandboxError) {
  if code < 0 { throw .failed(call: call, code: -code) }
}

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

/// What a thread may connect to and take connections from.
package struct Connections: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Sockets of this machine that have a path.
  package static let unix = Connections(rawValue: 1)
  /// TCP, and UDP to look names up.
  package static let internet = Connections(rawValue: 2)
}

extension CallRule {
  /// What a library's threads take that make connections. They block all signals, so nothing is left to a handler.
  ///
  /// - Parameters:
  ///   - process: This process's id, the only one that signals may go to.
  ///   - policy: How its threads are scheduled. libzmq's tell the kernel so again when they start.
  static func connecting(_ connections: Connections, process: Int32, policy: Int32) -> [CallRule] {
    let always = common(process: process) + exchanging + scheduling(UInt64(truncatingIfNeeded: policy))
    let unix = connections.contains(.unix) ? [socket(family: 1, type: 1)] : []
    return always + unix + (connections.contains(.internet) ? overInternet : [])
  }

  /// What the thread of a server takes. Its sockets listen already, and what they accept has its options from them.
  static func serving(process: Int32) -> [CallRule] {
    common(process: process) + [
      CallRule(name: "accept4"),
      // The address by which a client's connections are counted.
      CallRule(name: "getpeername"),
      // SHUT_WR: the last answer is told to be whole while what the client still sends is dropped.
      CallRule(name: "shutdown", conditions: [Condition(argument: 1, mask: 0xFFFF_FFFF, value: 1)]),
    ]
  }

  /// An error of a connection, and who is at its other end.
  private static let exchanging: [CallRule] =
    ["accept", "accept4", "connect", "getpeername", "getsockname"].map { CallRule(name: $0) } + [
      option("getsockopt", level: 1, 4), option("getsockopt", level: 1, 17),
    ]

  private static func scheduling(_ policy: UInt64) -> [CallRule] {
    ["sched_getparam", "sched_getscheduler"].map { CallRule(name: $0) } + [
      CallRule(name: "sched_setscheduler", conditions: [Condition(argument: 1, value: policy)])
    ]
  }

  /// Streams over IPv4 and IPv6, keys in memory that is never swapped out, datagrams to name servers, and the files of name
  /// resolution.
  private static let overInternet: [CallRule] =
    [
      socket(family: 2, type: 1, protocol: 6), socket(family: 2, type: 1), socket(family: 2, type: 2),
      socket(family: 10, type: 1, protocol: 6), socket(family: 10, type: 1), socket(family: 10, type: 2),
      // SO_SNDBUF and SO_RCVBUF, TCP_NODELAY, IP_RECVERR, IPV6_RECVERR and IPV6_V6ONLY
      option("setsockopt", level: 1, 7), option("setsockopt", level: 1, 8), option("setsockopt", level: 6, 1),
      option("setsockopt", level: 0, 11), option("setsockopt", level: 41, 25),
      option("setsockopt", level: 41, 26),
      CallRule(name: "mlock"), CallRule(name: "munlock"),
      // FIONREAD
      CallRule(name: "ioctl", conditions: [Condition(argument: 1, mask: 0xFFFF_FFFF, value: 0x541B)]),
      reading("open", flags: 1), reading("openat", flags: 2),
    ] + aboveStreams("lseek")

  private static func socket(family: UInt64, type: UInt64, protocol number: UInt64 = 0) -> CallRule {
    CallRule(
      name: "socket",
      conditions: [
        Condition(argument: 0, value: family), Condition(argument: 1, mask: 0xF, value: type),
        Condition(argument: 2, value: number),
      ])
  }

  private static func option(_ name: String, level: UInt64, _ option: UInt64) -> CallRule {
    CallRule(
      name: name,
      conditions: [Condition(argument: 1, value: level), Condition(argument: 2, value: option)])
  }

  /// Without O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and O_TMPFILE.
  private static func reading(_ name: String, flags argument: UInt32) -> CallRule {
    CallRule(name: name, conditions: [Condition(argument: argument, mask: 0x40_0243, value: 0)])
  }
}
