/// How much of a page's values is kept, in bytes of UTF-8; longer texts are cut, longer addresses dropped.
public struct PageLimits: Hashable, Sendable {
  public var titleBytes: Int
  public var descriptionBytes: Int
  /// For every other text of the card.
  public var shortTextBytes: Int
  public var addressBytes: Int
  /// How many feeds of one page are listed.
  public var feeds: Int
  /// How many images of one page are listed.
  public var images: Int
  /// How much JSON-LD of one page is read, all its scripts together.
  public var linkedDataBytes: Int

  public init(
    titleBytes: Int = 2_000, descriptionBytes: Int = 10_000, shortTextBytes: Int = 500,
    addressBytes: Int = 8_192, feeds: Int = 20, images: Int = 5, linkedDataBytes: Int = 262_144
  ) {
    self.titleBytes = titleBytes
    self.descriptionBytes = descriptionBytes
    self.shortTextBytes = shortTextBytes
    self.addressBytes = addressBytes
    self.feeds = feeds
    self.images = images
    self.linkedDataBytes = linkedDataBytes
  }
}
