/// One link of the demo: what to do with it and what is to come of it.
package struct DemoLink: Hashable, Sendable {
  /// The link as a user would give it.
  package var url: String
  /// The kind of the job: `unfurl`, `title` or `decode`.
  package var kind: String
  /// What the link shows, in a few words.
  package var note: String
  /// The JSON pointer of a `decode`, where only a part is wanted.
  package var select: String?
  /// The page's oEmbed endpoint is asked too.
  package var wantsEmbed = false
  /// `ok` or the kind of the failure.
  package var expected: String
  /// The title to be found, for links that are about titles.
  package var title: String?
}
