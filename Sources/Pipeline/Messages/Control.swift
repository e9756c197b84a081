/// A worker's whole state, sent with every heartbeat. There is no other registration.
public struct Hello: Hashable, Sendable {
  public var worker: WorkerID
  public var role: Role
  /// The host or pod; documents do not leave it.
  public var locality: String
  public var address: Address
  /// Credited messages the worker will take in all, and those it has seen.
  public var granted: UInt64
  public var received: UInt64
  /// Tokens the worker answers for.
  public var held: [LeaseToken]
  /// Those of them that can have been executing.
  public var executing: [LeaseToken]
  /// Messages of all kinds that it has taken from its inbox; nothing depends on it.
  public var messages: UInt64
  /// Its version and options; nil for a worker that does not report them.
  public var program: WorkerProgram?
  /// The sandbox of a decoder; nil for other roles.
  public var sandbox: WorkerSandbox?

  /// Bytes of a locality or an address. Longer ones are refused where they are given and where they come in.
  public static let longestText = 512

  /// Whether its texts are short enough to be told to others.
  public var fits: Bool {
    locality.utf8.count <= Self.longestText && address.text.utf8.count <= Self.longestText
  }

  public init(
    worker: WorkerID, role: Role, locality: String, address: Address, granted: UInt64, received: UInt64,
    held: [LeaseToken] = [], executing: [LeaseToken] = [], messages: UInt64 = 0
  ) {
    self.worker = worker
    self.role = role
    self.locality = locality
    self.address = address
    self.granted = granted
    self.received = received
    self.held = held
    self.executing = executing
    self.messages = messages
  }
}

/// Tells a fetcher which decoders there are.
public struct Roster: Hashable, Sendable {
  public struct Peer: Hashable, Sendable {
    public var worker: WorkerID
    public var address: Address
    /// That of the fetcher's lane to it.
    public var secret: LaneSecret

    public init(worker: WorkerID, address: Address, secret: LaneSecret = .none) {
      self.worker = worker
      self.address = address
      self.secret = secret
    }
  }

  public var decoders: [Peer]
  /// The hash of the fleet's fetch options; nil when it was given none.
  public var fetchOptions: UInt64?

  public init(decoders: [Peer]) {
    self.decoders = decoders
  }
}

/// A receiver's grant to one sender. Both counters are cumulative, so a lost one is made good by the next.
public struct Credit: Hashable, Sendable {
  public var from: WorkerID
  public var granted: UInt64
  /// The leases that the receiver has finished since its last grant.
  public var finished: [LeaseToken]

  public init(from: WorkerID, granted: UInt64, finished: [LeaseToken] = []) {
    self.from = from
    self.granted = granted
    self.finished = finished
  }
}

/// A walk is led to another host than it has a slot of, gives that slot up, and waits for a grant. Repeated until that comes.
public struct HostSlotRequest: Hashable, Sendable {
  /// The worker that gets the answer.
  public var from: WorkerID
  public var token: LeaseToken
  /// Bytes of a name and its port. Longer names are no hosts: to ask for one ends by itself.
  public static let longestHost = 300

  /// Grows with every request under a lease; whatever concerns an earlier one is out of date.
  public var number: UInt32
  public var host: String
  /// The walk was let go by an aggregator that is gone, and waits for nothing.
  public var isUnderWay = false

  public init(from: WorkerID, token: LeaseToken, number: UInt32, host: String) {
    self.from = from
    self.token = token
    self.number = number
    self.host = host
  }
}

/// The walk has a slot of the host that it asked for, or will get none.
public struct HostSlotGrant: Hashable, Sendable {
  public var token: LeaseToken
  public var number: UInt32
  /// Why the host may not be asked; nil when it may.
  public var refusal: Failure?

  public init(token: LeaseToken, number: UInt32, refusal: Failure? = nil) {
    self.token = token
    self.number = number
    self.refusal = refusal
  }
}

/// Confirms results: the worker may forget them.
public struct Ack: Hashable, Sendable {
  public var tokens: [LeaseToken]

  public init(tokens: [LeaseToken]) {
    self.tokens = tokens
  }
}

/// Leases a worker hands back undone.
public struct GiveBack: Hashable, Sendable {
  public enum Reason: UInt8, Sendable {
    case draining = 1
    case peerLost = 2
  }

  public var from: WorkerID
  public var tokens: [LeaseToken]
  /// How many of the first tokens can have been executing when the peer was lost.
  public var executing: UInt32
  public var reason: Reason
  /// The peer that was lost, as far as its lane tells: it may live. nil when none was.
  public var peer: WorkerID?

  public init(
    from: WorkerID, tokens: [LeaseToken], executing: UInt32 = 0, reason: Reason, peer: WorkerID? = nil
  ) {
    self.from = from
    self.tokens = tokens
    self.executing = executing
    self.reason = reason
    self.peer = peer
  }
}

/// The last message of a worker.
public struct Bye: Hashable, Sendable {
  public var worker: WorkerID

  public init(worker: WorkerID) {
    self.worker = worker
  }
}
