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
