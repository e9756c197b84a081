/// A worker's whole state, sent with every heartbeat. There is no other registration.
public struct Hello: Archived, Hashable, Sendable {
  public var worker = WorkerID.none
  public var role = Role.producer
  /// The host or pod; documents do not leave it.
  public var locality = ""
  public var address = Address("")
  /// Credited messages the worker will take in all, and those it has seen.
  public var granted: UInt64 = 0
  public var received: UInt64 = 0
  /// Tokens the worker answers for.
  public var held: [LeaseToken] = []
  /// Those of them that can have been executing.
  public var executing: [LeaseToken] = []
  /// Messages of all kinds that it has taken from its inbox; nothing depends on it.
  public var messages: UInt64 = 0
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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &worker)
    coder.need(2, &role)
    coder.field(3, &locality)
    coder.need(4, &address)
    coder.field(5, &granted)
    coder.field(6, &received)
    coder.packed(7, &held)
    coder.packed(8, &executing)
    coder.field(9, &messages)
    coder.field(10, &program)
    // A newer worker's other kind is none that is known here.
    var kind = sandbox?.rawValue
    coder.field(11, &kind)
    sandbox = kind.flatMap(WorkerSandbox.init)
  }
}

/// Tells a fetcher which decoders there are.
public struct Roster: Archived, Hashable, Sendable {
  public struct Peer: Archived, Hashable, Sendable {
    public var worker = WorkerID.none
    public var address = Address("")
    /// That of the fetcher's lane to it.
    public var secret = LaneSecret.none

    public init(worker: WorkerID, address: Address, secret: LaneSecret = .none) {
      self.worker = worker
      self.address = address
      self.secret = secret
    }

    init() {}

    mutating func code(_ coder: inout some Coder) {
      coder.need(1, &worker)
      coder.need(2, &address)
      coder.need(3, &secret)
    }
  }

  public var decoders: [Peer] = []
  /// The hash of the fleet's fetch options; nil when it was given none.
  public var fetchOptions: UInt64?

  public init(decoders: [Peer]) {
    self.decoders = decoders
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &fetchOptions)
    coder.field(2, &decoders)
  }
}

/// A receiver's grant to one sender. Both counters are cumulative, so a lost one is made good by the next.
public struct Credit: Archived, Hashable, Sendable {
  public var from = WorkerID.none
  public var granted: UInt64 = 0
  /// The leases that the receiver has finished since its last grant.
  public var finished: [LeaseToken] = []

  public init(from: WorkerID, granted: UInt64, finished: [LeaseToken] = []) {
    self.from = from
    self.granted = granted
    self.finished = finished
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.field(2, &granted)
    coder.packed(3, &finished)
  }
}

/// A walk is led to another host than it has a slot of, gives that slot up, and waits for a grant. Repeated until that comes.
public struct HostSlotRequest: Archived, Hashable, Sendable {
  /// The worker that gets the answer.
  public var from = WorkerID.none
  public var token = LeaseToken(0)
  /// Bytes of a name and its port. Longer names are no hosts: to ask for one ends by itself.
  public static let longestHost = 300

  /// Grows with every request under a lease; whatever concerns an earlier one is out of date.
  public var number: UInt32 = 0
  public var host = ""
  /// The walk was let go by an aggregator that is gone, and waits for nothing.
  public var isUnderWay = false

  public init(from: WorkerID, token: LeaseToken, number: UInt32, host: String) {
    self.from = from
    self.token = token
    self.number = number
    self.host = host
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.need(2, &token)
    coder.field(3, &number)
    coder.need(4, &host)
    coder.field(5, &isUnderWay)
  }
}

/// The walk has a slot of the host that it asked for, or will get none.
public struct HostSlotGrant: Archived, Hashable, Sendable {
  public var token = LeaseToken(0)
  public var number: UInt32 = 0
  /// Why the host may not be asked; nil when it may.
  public var refusal: Failure?

  public init(token: LeaseToken, number: UInt32, refusal: Failure? = nil) {
    self.token = token
    self.number = number
    self.refusal = refusal
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &token)
    coder.field(2, &number)
    coder.field(3, &refusal)
  }
}

/// Confirms results: the worker may forget them.
public struct Ack: Archived, Hashable, Sendable {
  public var tokens: [LeaseToken] = []

  public init(tokens: [LeaseToken]) {
    self.tokens = tokens
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.packed(1, &tokens)
  }
}

/// Leases a worker hands back undone.
public struct GiveBack: Archived, Hashable, Sendable {
  public enum Reason: UInt8, FieldValue, Sendable {
    case draining = 1
    case peerLost = 2
  }

  public var from = WorkerID.none
  public var tokens: [LeaseToken] = []
  /// How many of the first tokens can have been executing when the peer was lost.
  public var executing: UInt32 = 0
  public var reason = Reason.draining
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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.need(2, &reason)
    coder.field(3, &executing)
    coder.field(4, &peer)
    coder.packed(5, &tokens)
  }
}

/// The last message of a worker.
public struct Bye: Archived, Hashable, Sendable {
  public var worker = WorkerID.none

  public init(worker: WorkerID) {
    self.worker = worker
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &worker)
  }
}

/// Which program a worker is.
public struct WorkerProgram: Archived, Hashable, Sendable {
  public var version = ""
  /// The version of the frames that it writes.
  public var wire: UInt16 = 0
  /// Its id on its machine; 0 when it does not say.
  public var process: UInt32 = 0

  public init(version: String, wire: UInt16 = EnvelopeCodec.version, process: UInt32 = 0) {
    self.version = version
    self.wire = wire
    self.process = process
  }

  public var knownProcess: UInt32? { process > 0 ? process : nil }

  /// `1.0`, as people read the version of its frames.
  public var wireText: String { "\(wire >> 8).\(wire & 0xFF)" }

  /// Bytes of a version: there is no reason for more.
  public static let longestText = 64

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &version)
    coder.require(version.utf8.count <= Self.longestText, "version")
    coder.field(2, &wire)
    coder.field(3, &process)
  }
}

/// What keeps the threads of a worker that read hostile bytes from files, sockets and programs.
public enum WorkerSandbox: UInt8, CaseIterable, Sendable {
  case none = 0
  /// The kernel filters their system calls.
  case filter = 1
  /// Landlock denies them all files too.
  case filterAndLandlock = 2

  /// As the status names it.
  public var name: String {
    switch self {
    case .none: "none"
    case .filter: "seccomp"
    case .filterAndLandlock: "seccomp+landlock"
    }
  }
}

/// The options that change what a fleet's fetchers find.
public struct FetchOptions: Codable, Hashable, Sendable {
  /// An option with all that was given for it, in its order.
  public struct Given: Codable, Hashable, Sendable {
    public var name: String
    public var values: [String]

    public init(name: String, values: [String]) {
      (self.name, self.values) = (name, values)
    }
  }

  public var given: [Given]
  /// Changes with any of the values: the upper half with all but the addresses that are allowed, the lower half with those.
  public var hash: UInt64
  /// Options that were left out, because they are secrets and others could read the answer on its way.
  public var withheld: [String]

  public init(given: [Given], hash: UInt64, withheld: [String] = []) {
    (self.given, self.hash, self.withheld) = (given, hash, withheld)
  }
}

/// What a client may have done with the fleet's ledger. All but `size` are done in many short steps between commits.
public enum LedgerTask: Codable, Hashable, Sendable {
  /// Tells what it takes on its disk, and what is in it.
  case size
  /// Makes a copy of its file, beside it.
  case copy
  /// Deletes jobs of batches in which nothing has happened for so long.
  case forget(ForgettingChoice, olderThanMilliseconds: Int64)
  /// Gives free room back to the disk.
  case shrink
}
