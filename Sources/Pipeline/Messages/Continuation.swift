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
