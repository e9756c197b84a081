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
public struct TracePoint: Hashable, Sendable {
  public var role: Role
  public var microseconds: Int64
}

/// A job on its way to a worker.
public struct JobOrder: Hashable, Sendable {
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
}

/// What a fetcher hands downstream.
public struct Document: Hashable, Sendable {
  public var order: JobOrder
  /// The fetcher it comes from, whose lane it travels.
  public var sender: WorkerID
  /// The final address.
  public var url: String
  /// What is wrong with the response already; the row ends with it, whatever its body still tells.
  @Boxed public var failure: Failure?
  public var contentType: String?
  public var truncated: Bool
  /// It was cut because of a cap: with a larger one there would be more of it.
  public var isCapped = false
  /// Milliseconds spent on the job so far.
  public var elapsedMilliseconds: UInt32
  /// Those of them that its walk spent waiting for turns, which does not pass on to the next walk.
  public var waitedMilliseconds: UInt32 = 0
  /// JSON members that earlier steps found, without braces; they go into the row as they are.
  public var members: [UInt8]
  public var body: [UInt8]
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
}

/// How one attempt at a job ended, and what was found.
public struct JobResult: Hashable, Sendable {
  public var job: JobID
  /// The worker that keeps it until it is acknowledged.
  public var sender: WorkerID
  public var lease: Lease
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
  public var members: [UInt8]
  /// Milliseconds spent on the attempt.
  public var milliseconds: UInt32
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
}

/// Stops jobs that are not over.
public struct Cancel: Hashable, Sendable {
  public enum Scope: Hashable, Sendable {
    /// Leases a worker shall drop.
    case leases([LeaseToken])
    /// All jobs of a batch that no worker is on.
    case waiting(BatchID)
    case all(BatchID)
    /// The jobs in these places of a batch.
    case jobs(of: BatchID, [UInt64])
  }

  public var scope: Scope
  /// Why, in one line.
  public var cause: String

  public init(_ scope: Scope, cause: String) {
    self.scope = scope
    self.cause = cause
  }
}

/// A walk that a page leads on: how far it has come, and what the next request needs to know of that.
///
/// It travels with a document whose page may hold a refresh, comes back with the decoder's answer when it does, and goes
/// out with the job again. A page's oEmbed endpoint is asked in the same way.
public struct Continuation: Hashable, Sendable {
  /// Where the walk goes on; before the page was read, the page itself.
  public var url: String
  /// The hops so far as JSON objects with commas between them, the page's own among them.
  public var hops: [UInt8]
  /// Hashes of the requests so far, in order.
  public var visits: [UInt64]
  /// The job's cookies, as `FetchRequest` wants them.
  public var cookies: [String]
  /// It has been away from the link's own origin: what was for that alone is not sent any more.
  public var hasLeft: Bool
  /// Milliseconds spent so far.
  public var elapsedMilliseconds: UInt32
  /// Set when it does not lead to the page, but to what is asked about it.
  public var oembed: OEmbedContinuation?

  public init(
    url: String, hops: [UInt8], visits: [UInt64], cookies: [String], hasLeft: Bool,
    elapsedMilliseconds: UInt32
  ) {
    self.url = url
    self.hops = hops
    self.visits = visits
    self.cookies = cookies
    self.hasLeft = hasLeft
    self.elapsedMilliseconds = elapsedMilliseconds
  }
}

// It stays with the job while that waits, and travels with it; a site decides how long its addresses and cookies are.
extension Continuation {
  public static let mostURLBytes = 64 << 10
  /// One more than the most redirects that a job may ask for, and some.
  public static let mostVisits = 1_024
  /// Of hops and cookies together.
  public static let mostBytes = 1 << 20

  public var bytes: Int { cookies.reduce(hops.count) { $0 + $1.utf8.count } }

  /// What all of it takes, for the message that it is too much.
  var allBytes: Int {
    bytes + url.utf8.count + 8 * visits.count + 4 * cookies.count + (oembed?.bytes ?? 0)
  }

  /// Whether it is small enough to be passed on.
  public var fits: Bool {
    url.utf8.count <= Self.mostURLBytes && visits.count <= Self.mostVisits
      && cookies.count <= Self.mostBytes / 8
      && bytes <= Self.mostBytes && oembed?.fits != false
  }
}

/// A page that has been read, while its oEmbed endpoint is asked: nothing that comes of that can take from the answer.
///
/// Its holder can write the job's row, also when the endpoint cannot be reached.
public struct OEmbedContinuation: Hashable, Sendable {
  /// Of members and card together: they stay with the job while that waits. For longer pages no endpoint is asked.
  public static let mostBytes = 256 << 10

  /// JSON members that page and way to it yielded, without braces and card.
  public var members: [UInt8]
  /// JSON members of the page's card, without braces; never empty.
  public var card: [UInt8]
  /// Why the job fails unless the endpoint knows more; nil when the page is a good answer by itself.
  public var failure: Failure?
  /// For the answer; nil when it is not to be kept.
  public var caching: CacheNote?

  public init(members: [UInt8], card: [UInt8], failure: Failure? = nil, caching: CacheNote? = nil) {
    self.members = members
    self.card = card
    self.failure = failure
    self.caching = caching
  }

  public var bytes: Int { members.count + card.count }

  /// Whether it is small enough to be passed on.
  public var fits: Bool { bytes <= Self.mostBytes }
}

/// What a server calls the version of a resource that it sent (RFC 9110, section 8.8).
public struct Validators: Hashable, Sendable {
  /// Longer ones are as good as none: they travel with the job.
  public static let mostBytes = 4 << 10

  /// The resource, as it was requested.
  public var url: String
  public var entityTag: String?
  public var lastModified: String?

  /// None that can be asked by.
  static let none = Validators()

  private init() { url = "" }

  /// nil when there is nothing to ask by, or too much of it, or it cannot stand in a header.
  public init?(url: String, entityTag: String?, lastModified: String?) {
    (self.url, self.entityTag, self.lastModified) = (url, entityTag, lastModified)
    guard isSound else { return nil }
  }

  var isSound: Bool {
    let texts = [url, entityTag, lastModified].compactMap { $0 }
    return texts.count > 1 && texts.reduce(0) { $0 + $1.utf8.count } <= Self.mostBytes
      && texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
  }
}

/// The wish to keep a job's answer for later jobs that ask the same.
public struct CachePolicy: Hashable, Sendable {
  /// The version of the cached answer, which the fetcher revalidates.
  public var known: Validators?

  public init(known: Validators? = nil) {
    self.known = known
  }
}

/// What a fetcher reports about a cacheable answer; an answer without it is not cached.
public struct CacheNote: Hashable, Sendable {
  /// The response was no success, whatever the job made of it.
  public var isOfFailure: Bool
  public var validators: Validators?
  /// The server says that what is known is still so; the members tell only the way to it.
  public var isUnchanged: Bool

  public init(isOfFailure: Bool = false, validators: Validators? = nil, isUnchanged: Bool = false) {
    self.isOfFailure = isOfFailure
    self.validators = validators
    self.isUnchanged = isUnchanged
  }
}

/// What headers of a response say about its body, for the row.
public struct ResponseNote: Hashable, Sendable {
  /// Longer headers are as good as none.
  public static let mostBytes = 2 << 10
  public static let mostLinks = 4
  /// Of all its headers together; links beyond that are left out, the last first.
  public static let mostBytesInAll = 6 << 10

  /// `Content-Disposition` as it came.
  public var disposition: String?
  /// `Content-Language` as it came.
  public var language: String?
  /// The whole body's length in bytes, where the server told it and no coding hides it.
  public var length: UInt64?
  /// The response says that it is a check for bots and no answer.
  public var isChallenge: Bool
  /// The values of Link headers, for recipes that follow them.
  public var links: [String] = []

  /// Tells nothing.
  static let none = ResponseNote()

  private init() { isChallenge = false }

  /// nil when there is nothing to tell.
  public init?(
    disposition: String?, language: String?, length: UInt64?, isChallenge: Bool = false, links: [String] = []
  ) {
    (self.disposition, self.language, self.length) = (disposition, language, length)
    (self.isChallenge, self.links) = (isChallenge, links)
    bound()
    if self == .none { return nil }
  }

  /// Leaves out what is too long.
  mutating func bound() {
    func bounded(_ header: String?) -> String? {
      header.flatMap { $0.utf8.count <= Self.mostBytes ? $0 : nil }
    }
    (disposition, language) = (bounded(disposition), bounded(language))
    var room = Self.mostBytesInAll - (disposition?.utf8.count ?? 0) - (language?.utf8.count ?? 0)
    links = Array(
      links.filter { $0.utf8.count <= Self.mostBytes }.prefix(Self.mostLinks).prefix { link in
        room -= link.utf8.count
        return room >= 0
      })
  }
}
