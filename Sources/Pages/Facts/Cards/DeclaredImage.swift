/// What a page says of an image that it offers for its preview.
struct DeclaredImage: Sendable {
  /// How large an image may claim to be.
  static let mostPixels: Int64 = 100_000

  /// As the page writes it.
  let address: String
  var width: Int?
  var height: Int?
  var type: String?
  var alt: String?

  /// A width or a height; nil for what no image has.
  static func pixels(_ number: Int?) -> Int? {
    number.flatMap { (1...mostPixels).contains(Int64($0)) ? $0 : nil }
  }
}

/// The images of one vocabulary that the page describes, in its order. What describes an image stands behind it and before
/// the next. Most pages describe none, and pay for nothing but an address.
struct DeclaredImages: Sendable {
  private(set) var described: [DeclaredImage] = []
  /// What is said now belongs to the image that began with this address.
  private var open: String?
  private var isOpenDescribed = false
  /// An image has one address of each name.
  private var hasURL = false
  private var hasSecureURL = false
  private var count = 0

  /// Takes an address of an image.
  ///
  /// - Parameters:
  ///   - value: nil for an image that cannot be fetched; what stands behind it describes no other.
  ///   - limit: How many images are taken; those behind them are described in vain.
  mutating func read(_ name: MetaName, _ value: String?, limit: Int) {
    switch name {
    case .ogImageURL where open != nil && !hasURL: hasURL = value != nil
    case .ogImageSecureURL where open != nil && !hasSecureURL: hasSecureURL = value != nil
    default:
      open = count < limit ? value : nil
      isOpenDescribed = false
      (hasURL, hasSecureURL) = (name == .ogImageURL, name == .ogImageSecureURL)
      if open != nil { count += 1 }
    }
  }

  /// Takes what is said of an image.
  mutating func describe(_ name: MetaName, _ value: String) {
    switch name {
    case .ogImageWidth: describe(\.width, DeclaredImage.pixels(Int(value)))
    case .ogImageHeight: describe(\.height, DeclaredImage.pixels(Int(value)))
    case .ogImageType: describe(\.type, value)
    case .ogImageAlt, .twitterImageAlt: describe(\.alt, value)
    default: break
    }
  }

  private mutating func describe<Value>(_ path: WritableKeyPath<DeclaredImage, Value?>, _ value: Value?) {
    guard let open, let value else { return }
    if !isOpenDescribed { described.append(DeclaredImage(address: open)) }
    isOpenDescribed = true
    let last = described.count - 1
    described[last][keyPath: path] = described[last][keyPath: path] ?? value
  }
}
