/// A claim on a job: the token fences, the attempt counts from 1.
public struct Lease: Hashable, Sendable {
  public var token: LeaseToken
  public var attempt: UInt16

  public init(token: LeaseToken, attempt: UInt16) {
    self.token = token
    self.attempt = attempt
  }
}

/// When a role had an echo, in Unix microseconds.
public struct TracePoint: Archived, Hashable, Sendable {
  public var role = Role.producer
  public var microseconds: Int64 = 0

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &role)
    coder.field(2, &microseconds)
  }
}

/// A job on its way to a worker.
public struct JobOrder: Archived, Hashable, Sendable {
  // Without a value, which an initializer that has one would make and throw away.
  public var job: Job
  public var lease: Lease
  /// A worker died that had it, maybe of it: the next decoder says so before it begins with it, and when it is done.
  public var isSuspect = false
  /// An echo's way so far; empty for other jobs.
  public var trace: [TracePoint] = []
  /// Where its walk goes on that a page led on; nil when it begins with the link.
  @Boxed public var continuation: Continuation?
  /// The answer may be kept; nil when it may not.
  @Boxed public var caching: CachePolicy?

  public init(job: Job, lease: Lease) {
    self.job = job
    self.lease = lease
  }

  /// Notes that a role has an echo; nothing for other jobs.
  public mutating func pass(_ role: Role, at microseconds: Int64) {
    if job.kind == .echo { trace.append(TracePoint(role: role, microseconds: microseconds)) }
  }

  init() {
    (job, lease) = (Job(), Lease(token: LeaseToken(0), attempt: 0))
  }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &job)
    coder.need(2, &lease.token)
    coder.field(3, &lease.attempt)
    coder.field(5, &isSuspect)
    coder.field(6, &trace)
    coder.field(7, &continuation)
    coder.field(8, &caching)
  }
}

/// What a fetcher hands downstream.
public struct Document: Archived, Hashable, Sendable {
  public var order: JobOrder
  /// The fetcher it comes from, whose lane it travels.
  public var sender = WorkerID.none
  /// The final address.
  public var url = ""
  /// What is wrong with the response already; the row ends with it, whatever its body still tells.
  @Boxed public var failure: Failure?
  public var contentType: String?
  public var truncated = false
  /// It was cut because of a cap: with a larger one there would be more of it.
  public var isCapped = false
  /// Milliseconds spent on the job so far.
  public var elapsedMilliseconds: UInt32 = 0
  /// Those of them that its walk spent waiting for turns, which does not pass on to the next walk.
  public var waitedMilliseconds: UInt32 = 0
  /// JSON members that earlier steps found, without braces; they go into the row as they are.
  public var members: [UInt8] = []
  public var body: [UInt8] = []
  /// How the walk goes on should the page lead on; nil when it cannot.
  @Boxed public var continuation: Continuation?
  /// For the answer; nil when it is not to be kept.
  @Boxed public var caching: CacheNote?
  /// What the response's headers say about the body.
  @Boxed public var note: ResponseNote?

  public init(
    order: JobOrder, sender: WorkerID, url: String, failure: Failure?, contentType: String?, truncated: Bool,
    elapsedMilliseconds: UInt32, members: [UInt8], body: [UInt8]
  ) {
    self.order = order
    self.sender = sender
    self.url = url
    self.failure = failure
    self.contentType = contentType
    self.truncated = truncated
    self.elapsedMilliseconds = elapsedMilliseconds
    self.members = members
    self.body = body
  }

  init() {
    order = JobOrder()
  }

  /// Its order's fields come first.
  mutating func code(_ coder: inout some Coder) {
    order.code(&coder)
    coder.need(20, &sender)
    coder.field(21, &url)
    coder.field(22, &failure)
    coder.field(23, &contentType)
    coder.field(24, &truncated)
    coder.field(25, &isCapped)
    coder.field(26, &elapsedMilliseconds)
    coder.field(27, &waitedMilliseconds)
    coder.bytes(28, &members)
    coder.bytes(29, &body)
    coder.field(30, &continuation)
    coder.field(31, &caching)
    coder.field(32, &note)
  }
}

/// How one attempt at a job ended, and what was found.
public struct JobResult: Archived, Hashable, Sendable {
  public var job = JobID.none
  /// The worker that keeps it until it is acknowledged.
  public var sender = WorkerID.none
  public var lease = Lease(token: LeaseToken(0), attempt: 0)
  /// nil when the job is done.
  @Boxed public var failure: Failure?
  /// What was found is a good answer as it is; the failure only asks for another attempt, while there are attempts left.
  public var standsAnyway = false
  /// What went wrong beside the job, which is no worse for it: only the host is known by it.
  @Boxed public var sideFailure: Failure?
  /// The host that failed, which need not be that of the link; nil when none was asked, and for a name that is too
  /// long for a host.
  public var failedHost: String? {
    didSet { failedHost = Self.bounded(failedHost) }
  }
  /// JSON members that the steps found, without braces; they go into the row as they are.
  public var members: [UInt8] = []
  /// Milliseconds spent on the attempt.
  public var milliseconds: UInt32 = 0
  /// The page leads on: this is no end, and there will be no row.
  @Boxed public var continuation: Continuation?
  /// nil when the answer is not to be kept.
  @Boxed public var caching: CacheNote?

  public init(
    job: JobID, sender: WorkerID, lease: Lease, failure: Failure?, failedHost: String? = nil,
    members: [UInt8], milliseconds: UInt32
  ) {
    self.job = job
    self.sender = sender
    self.lease = lease
    self.failure = failure
    self.failedHost = Self.bounded(failedHost)
    self.members = members
    self.milliseconds = milliseconds
  }

  private static func bounded(_ host: String?) -> String? {
    host.flatMap { $0.utf8.count <= HostSlotRequest.longestHost ? $0 : nil }
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &job)
    coder.need(2, &lease.token)
    coder.field(3, &lease.attempt)
    coder.need(4, &sender)
    coder.field(5, &standsAnyway)
    coder.field(6, &failedHost)
    coder.field(7, &failure)
    coder.field(8, &sideFailure)
    coder.field(9, &caching)
    coder.field(10, &continuation)
    coder.field(11, &milliseconds)
    coder.bytes(12, &members)
  }
}

/// Stops jobs that are not over.
public struct Cancel: Archived, Hashable, Sendable {
  public enum Scope: Hashable, Sendable {
    /// Leases a worker shall drop.
    case leases([LeaseToken])
    /// All jobs of a batch that no worker is on.
    case waiting(BatchID)
    case all(BatchID)
    /// The jobs in these places of a batch.
    case jobs(of: BatchID, [UInt64])
  }

  public var scope = Scope.leases([])
  /// Why, in one line.
  public var cause = ""

  public init(_ scope: Scope, cause: String) {
    self.scope = scope
    self.cause = cause
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    var kind: UInt8
    var (batch, tokens, ordinals): (BatchID?, [LeaseToken], [UInt64]) = (nil, [], [])
    switch scope {
    case .leases(let leases): (kind, tokens) = (1, leases)
    case .waiting(let of): (kind, batch) = (2, of)
    case .all(let of): (kind, batch) = (3, of)
    case .jobs(let of, let places): (kind, batch, ordinals) = (4, of, places)
    }
    coder.field(1, &cause)
    coder.need(2, &kind)
    coder.field(3, &batch)
    coder.packed(4, &tokens)
    coder.packed(5, &ordinals)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, nil): scope = .leases(tokens)
    case (2, let batch?): scope = .waiting(batch)
    case (3, let batch?): scope = .all(batch)
    case (4, let batch?): scope = .jobs(of: batch, ordinals)
    default: coder.require(false, "scope")
    }
  }
}
