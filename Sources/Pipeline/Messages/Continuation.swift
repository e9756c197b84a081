/// A walk that a page leads on: how far it has come, and what the next request needs to know of that.
///
/// It travels with a document whose page may hold a refresh, comes back with the decoder's answer when it does, and goes
/// out with the job again. A page's oEmbed endpoint is asked in the same way.
public struct Continuation: Archived, Hashable, Sendable {
  /// Where the walk goes on; before the page was read, the page itself.
  public var url = ""
  /// The hops so far as JSON objects with commas between them, the page's own among them.
  public var hops: [UInt8] = []
  /// Hashes of the requests so far, in order.
  public var visits: [UInt64] = []
  /// The job's cookies, as `FetchRequest` wants them.
  public var cookies: [String] = []
  /// It has been away from the link's own origin: what was for that alone is not sent any more.
  public var hasLeft = false
  /// Milliseconds spent so far.
  public var elapsedMilliseconds: UInt32 = 0
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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &url)
    coder.bytes(2, &hops)
    coder.packed(3, &visits)
    coder.field(4, &cookies)
    coder.field(5, &hasLeft)
    coder.field(6, &elapsedMilliseconds)
    // Who does not know it would take the endpoint for the page.
    coder.field(7, &oembed, isCritical: true)
    coder.bound(allBytes, to: Self.mostBytes, fits)
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
public struct OEmbedContinuation: Archived, Hashable, Sendable {
  /// Of members and card together: they stay with the job while that waits. For longer pages no endpoint is asked.
  public static let mostBytes = 256 << 10

  /// JSON members that page and way to it yielded, without braces and card.
  public var members: [UInt8] = []
  /// JSON members of the page's card, without braces; never empty.
  public var card: [UInt8] = []
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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.bytes(1, &members)
    coder.bytes(2, &card)
    coder.field(3, &failure)
    coder.field(4, &caching)
  }
}

/// What a server calls the version of a resource that it sent (RFC 9110, section 8.8).
public struct Validators: Archived, Hashable, Sendable {
  /// Longer ones are as good as none: they travel with the job.
  public static let mostBytes = 4 << 10

  /// The resource, as it was requested.
  public var url = ""
  public var entityTag: String?
  public var lastModified: String?

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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &url)
    coder.field(2, &entityTag)
    coder.field(3, &lastModified)
    coder.require(isSound, "text")
  }
}

/// The wish to keep a job's answer for later jobs that ask the same.
public struct CachePolicy: Archived, Hashable, Sendable {
  /// The version of the cached answer, which the fetcher revalidates.
  public var known: Validators?

  public init(known: Validators? = nil) {
    self.known = known
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &known)
  }
}

/// What a fetcher reports about a cacheable answer; an answer without it is not cached.
public struct CacheNote: Archived, Hashable, Sendable {
  /// The response was no success, whatever the job made of it.
  public var isOfFailure = false
  public var validators: Validators?
  /// The server says that what is known is still so; the members tell only the way to it.
  public var isUnchanged = false

  public init(isOfFailure: Bool = false, validators: Validators? = nil, isUnchanged: Bool = false) {
    self.isOfFailure = isOfFailure
    self.validators = validators
    self.isUnchanged = isUnchanged
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &isOfFailure)
    coder.field(2, &isUnchanged)
    coder.field(3, &validators)
  }
}

/// What headers of a response say about its body, for the row.
public struct ResponseNote: Archived, Hashable, Sendable {
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
  public var isChallenge = false
  /// The values of Link headers, for recipes that follow them.
  public var links: [String] = []

  /// nil when there is nothing to tell.
  public init?(
    disposition: String?, language: String?, length: UInt64?, isChallenge: Bool = false, links: [String] = []
  ) {
    (self.disposition, self.language, self.length) = (disposition, language, length)
    (self.isChallenge, self.links) = (isChallenge, links)
    bound()
    if self == ResponseNote() { return nil }
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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &disposition)
    coder.field(2, &language)
    coder.field(3, &length)
    coder.field(4, &isChallenge)
    coder.field(5, &links)
    if coder.isReading { bound() }
  }
}
