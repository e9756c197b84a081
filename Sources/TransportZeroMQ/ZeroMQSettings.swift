package import Pipeline
package import ZeroMQ

/// How the lanes of one process are made.
package struct ZeroMQSettings: Sendable {
  /// Encrypts and authenticates TCP lanes, in both directions.
  package var curve: CurveSettings?
  /// Lets TCP lanes be without keys, on this machine too: everybody who reaches them can read and forge everything.
  package var allowsInsecure = false
  /// What others are to call this machine, when an inbox is bound to all of its addresses.
  package var advertisedHost: String?
  /// Messages that an outlet holds for its receiver. A fuse: credit bounds lanes.
  package var highWaterMark: Int32 = 1_000
  /// What an inbox holds for its role, from all senders together; what comes beyond is dropped. A fuse, too.
  package var inboxBytes = 128 << 20
  /// Cuts a lane whose peer gives no sign of life for so many milliseconds, as when its machine lost power; nil for
  /// never. At most 20 s.
  ///
  /// The library answers by itself while a role is busy.
  package var longestSilence: Int32? = 10_000
  /// Bytes of the system's buffers, in each direction; nil leaves them to the system.
  package var kernelBufferBytes: Int32?
  /// Changes frames on their way in and out, or drops them, so that a test has a member of another version; nil for never.
  package var frames: (@Sendable ([UInt8]) -> [UInt8]?)?

  package init(curve: CurveSettings? = nil, allowsInsecure: Bool = false) {
    self.curve = curve
    self.allowsInsecure = allowsInsecure
  }

  /// What is written like no address is refused.
  package static func check(_ address: Address) throws(TransportError) { _ = try Endpoint(address) }

  /// An address that anyone on the way could read and forge is refused, and one of this machine that all its users
  /// reach: directories protect Unix sockets, and nothing protects a port.
  package func checkSafety(of address: Address) throws(TransportError) {
    let endpoint = try Endpoint(address)
    guard endpoint.isTCP, curve == nil, !allowsInsecure else { return }
    let who = endpoint.isLoopback ? "all users of this machine reach it" : "it leaves this machine"
    throw .unusable(
      what: endpoint.text, why: "\(who), and there are no keys to protect it",
      remedy: "give --key, or --insecure-transport where you trust everyone who can reach it")
  }
}

/// Who this process is, whom it expects, and whom it lets in. No two members need to share a secret.
package struct CurveSettings: Hashable, Sendable {
  /// Proves to inboxes who is sending. The aggregator's inbox has it too; all others have a new pair each, whose public half
  /// stands in their address.
  package var own: CurveKeyPair
  /// The public keys of the fleet's aggregator: two while that changes its keys, and the first one is tried first.
  package var aggregators: [CurveKey]
  /// The peers from which this process's inboxes take messages, with what each may say; all others are refused.
  package var allowed: [CurveKey: LaneRights]

  package init(own: CurveKeyPair, aggregators: [CurveKey], allowed: [CurveKey: LaneRights]) {
    (self.own, self.aggregators, self.allowed) = (own, aggregators, allowed)
  }

  var isAggregator: Bool { aggregators.contains(own.publicKey) }

  /// A lane that came in under the former keys may have to end.
  func cutsLanes(of former: CurveSettings) -> Bool {
    isAggregator && own != former.own
      || former.allowed.contains { key, rights in allowed[key]?.isSuperset(of: rights) != true }
  }

  /// A lane that went out with the former keys may not come in there any more.
  func renewsLanes(of former: CurveSettings) -> Bool {
    own != former.own || !Set(former.aggregators).isSubset(of: aggregators)
  }
}

/// What is the same for every lane. Times are milliseconds.
enum LaneConstants {
  /// How long a lane may take nothing from a receiver that is heard, until it is made anew.
  static let longestSilence: Int64 = 5_000
  /// Until a lane that was refused tries again; the library itself never does.
  static let refusalWait: Int64 = 5_000
  /// How often in a row a receiver breaks off, each time so soon after the last, until a lane waits before it tries again.
  static let mostBreakOffs = 10
  static let soon: Int64 = 1_000
  /// How long it waits the first time, then twice as long each time up to `refusalWait`.
  static let firstBreakOffWait: Int64 = 500
  /// How often an inbox looks whether its path is still there.
  static let pathLook: Int64 = 2_000
  /// Until a lane tries the other key of the fleet.
  static let otherKeyWait: Int64 = 100
  /// How often, and how many milliseconds apart, an inbox tries to have its own port again.
  static let bindingAttempts = 50
  static let bindingWait: Int64 = 100
  /// How long the last message of a worker may take to leave.
  static let farewell: Int32 = 500
  /// How long an inbox waits for the library to give its address back.
  static let longestUnbind: Int64 = 5_000
  static let reconnect: ClosedRange<Int32> = 10...30
  static let longestReconnect: Int32 = 2_000
  static let handshake: Int32 = 5_000
  /// Heartbeats within the longest silence.
  static let heartbeats: Int32 = 5
  static let backlog: Int32 = 512
  /// Bytes that a role takes from its inbox at once, but for the last message.
  static let mostBytesAtOnce = 32 << 20
  /// Frames that are taken from a socket at once.
  static let mostFramesAtOnce = 1_000
  static let sockets: Int32 = 16_384
  static let descriptors = 65_536
  /// What a Unix socket's address holds.
  static let longestPath = 107
}
