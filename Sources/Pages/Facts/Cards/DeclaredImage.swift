/// An image that a page offers for its preview, with what the page says of it.
struct DeclaredImage: Sendable {
  /// How large an image may claim to be.
  private static let mostPixels = 100_000

  var width: Int?
  var height: Int?
  var type: String?
  var alt: String?
  /// As the page writes them, by the names they stand under: an image may have one for https of its own.
  fileprivate(set) var addresses: [MetaName: String] = [:]

  /// Whether there is more than an address.
  var isDescribed: Bool { (width ?? height) != nil || (type ?? alt) != nil }

  /// A width or a height; nil for what no image has.
  static func pixels(_ number: Int?) -> Int? {
    number.flatMap { (1...mostPixels).contains($0) ? $0 : nil }
  }
}

/// The images of one vocabulary, in the order of the page. What describes an image stands behind it and before the next.
struct DeclaredImages: Sendable {
  private(set) var images: [DeclaredImage] = []
  /// What is said now belongs to the last one.
  private var isOpen = false

  /// - Parameters:
  ///   - value: nil for an image that cannot be fetched; what stands behind it describes no other.
  ///   - limit: How many images are taken; those behind them are described in vain.
  mutating func read(_ name: MetaName, _ value: String?, limit: Int) {
    switch name {
    case .ogImage, .twitterImage: begin(name, value, limit)
    case .ogImageURL, .ogImageSecureURL:
      guard isOpen, images[images.count - 1].addresses[name] == nil else { return begin(name, value, limit) }
      images[images.count - 1].addresses[name] = value
    case .ogImageWidth: describe(\.width, DeclaredImage.pixels(value.flatMap { Int($0) }))
    case .ogImageHeight: describe(\.height, DeclaredImage.pixels(value.flatMap { Int($0) }))
    case .ogImageType: describe(\.type, value)
    case .ogImageAlt, .twitterImageAlt: describe(\.alt, value)
    default: break
    }
  }

  private mutating func begin(_ name: MetaName, _ value: String?, _ limit: Int) {
    isOpen = value != nil && images.count < limit
    guard isOpen, let value else { return }
    images.append(DeclaredImage())
    images[images.count - 1].addresses[name] = value
  }

  private mutating func describe<Value>(_ path: WritableKeyPath<DeclaredImage, Value?>, _ value: Value?) {
    guard isOpen, images[images.count - 1][keyPath: path] == nil else { return }
    images[images.count - 1][keyPath: path] = value
  }
}
