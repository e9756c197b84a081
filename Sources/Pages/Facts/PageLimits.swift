/// How much of a page's values is kept, in bytes of UTF-8; longer texts are cut, longer addresses dropped.
struct PageLimits: Hashable, Sendable {
  var titleBytes = 2_000
  var descriptionBytes = 10_000
  /// For every other text of the card.
  var shortTextBytes = 500
  var addressBytes = 8_192
  /// How many feeds of one page are listed.
  var feeds = 20
  /// How many images of one page are listed.
  var images = 5
  /// How much JSON-LD of one page is read, all its scripts together.
  var linkedDataBytes = 262_144
}
