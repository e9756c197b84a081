/// Why a burst could not be sent or received, or a lane not made.
public enum TransportError: Error, Hashable, Sendable {
  /// The other side, or this one, is gone.
  case closed(Address)
  /// No inbox is bound there.
  case unreachable(Address)
  /// Another inbox is bound there; `process` is its process, where that is known.
  case addressInUse(Address, process: Int32? = nil)
  /// A message of so many bytes does not fit into a frame.
  case tooLarge(bytes: Int, limit: Int)
  /// No address is written like that, and `remedy` says how one is.
  case malformed(what: String, why: String, remedy: String)
  /// It cannot work as it is set up, and `remedy` says what to do about it.
  case unusable(what: String, why: String, remedy: String)
}

/// An event of a lane that this process connected.
///
/// A hint that makes recovery fast; correctness never depends on it.
public struct LaneNotice: Hashable, Sendable {
  /// Where the lane leads.
  public var address: Address
  public var isUp: Bool
  /// Of a lane that is down: a reload can have cut it, here or at its receiver, so it may be up again within seconds.
  public var mayBeReload: Bool
  /// It was cut here: what is known of its receiver is only that it has not come back.
  public var isOwn: Bool

  public init(address: Address, isUp: Bool, mayBeReload: Bool = false, isOwn: Bool = false) {
    (self.address, self.isUp, self.mayBeReload, self.isOwn) = (address, isUp, mayBeReload, isOwn)
  }
}

/// What an inbox hands over.
public enum Delivery: Hashable, Sendable {
  case envelope(Envelope)
  case lane(LaneNotice)
}

/// The receiving end that every role has one of.
///
/// It holds a bounded amount for its role. Beyond that its senders wait, or, between processes, messages are lost as on
/// a lane that was cut: credit is what keeps a fleet from it.
public protocol Inbox: Sendable {
  /// Where it can be reached, with the port that the system chose if it was left to it.
  var address: Address { get }

  /// Waits for messages and notices and takes up to `limit` of them in one burst. Returns an empty burst at `moment`;
  /// throws `CancellationError` when the task is cancelled, `TransportError.closed` after `close`.
  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery]

  /// Wakes the receiver for a notice. That a lane is up comes before the next messages; that it is down after those
  /// that are there already: its peer may have said them.
  func note(_ notice: LaneNotice) async

  /// Returns when the address is free again.
  func close() async
}

/// The sending end of a lane to one receiver. The lane lives no longer than it; messages under way then can be lost.
public protocol Outlet: Sendable {
  /// Takes the whole burst when that needs no waiting; otherwise, or when this transport cannot know, false, and
  /// nothing of it was taken. No other task may be sending by this outlet.
  func offer(_ burst: [Envelope]) -> Bool

  /// Returns when the transport has taken the whole burst, in order; suspends while the receiver is away, or full and in the same process.
  ///
  /// Messages that are too large are left out: the others are sent, then `TransportError.tooLarge` is thrown.
  func send(_ burst: [Envelope]) async throws

  /// The role heard from the receiver, which is alive then: a lane that takes nothing all the same is made anew.
  func receiverSpoke()

  /// Why the receiver does not let this process in; nil while it does, and when nothing answers there.
  var refusal: String? { get }

  func close() async
}

/// The port to messages between processes.
public protocol Transport: Sendable {
  func bind(_ address: Address) async throws -> any Inbox

  /// - Parameter inbox: Is told when the lane goes up and down, so that the role's own loop wakes for it.
  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet
}

extension Outlet {
  /// Everything has to be sent.
  public func offer(_ burst: [Envelope]) -> Bool { false }

  /// It refuses no one.
  public var refusal: String? { nil }
}

extension Transport {
  /// A lane whose notices are not wanted.
  public func connect(to address: Address) async throws -> any Outlet {
    try await connect(to: address, notifying: nil)
  }
}

extension [Delivery] {
  /// The messages among them, in order.
  public var envelopes: [Envelope] {
    compactMap { delivery in
      switch delivery {
      case .envelope(let envelope): envelope
      case .lane: nil
      }
    }
  }
}

/// Clients that a transport did not let in, because their keys are not among the allowed ones.
public struct RefusalReport: Encodable, Hashable, Sendable {
  public struct Peer: Encodable, Hashable, Sendable {
    /// Its public key; nil when it has none.
    public var key: String?
    public var address: String
    public var times: UInt64
    /// Milliseconds since the last time.
    public var msAgo: Int64

    public init(key: String?, address: String, times: UInt64, msAgo: Int64) {
      (self.key, self.address, self.times, self.msAgo) = (key, address, times, msAgo)
    }
  }

  /// Refused attempts since the process started.
  public var total: UInt64
  /// The last ones, the newest first.
  public var latest: [Peer]

  public init(total: UInt64 = 0, latest: [Peer] = []) {
    (self.total, self.latest) = (total, latest)
  }
}
