/// One link of the demo: what to do with it and what is to come of it.
public struct DemoLink: Hashable, Sendable {
  /// The link as a user would give it.
  public var url: String
  /// The kind of the job: `unfurl`, `title` or `decode`.
  public var kind: String
  /// What the link shows, in a few words.
  public var note: String
  /// The JSON pointer of a `decode`, where only a part is wanted.
  public var select: String?
  /// The page's oEmbed endpoint is asked too.
  public var wantsEmbed = false
  /// `ok` or the kind of the failure.
  public var expected: String
  /// The title to be found, for links that are about titles.
  public var title: String?
}
