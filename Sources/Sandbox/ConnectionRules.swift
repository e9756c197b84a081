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
