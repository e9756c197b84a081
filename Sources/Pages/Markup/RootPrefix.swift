/// The prefix that an XML document's root has: elements with it are named by what follows it.
struct RootPrefix {
  private var isKnown = false
  private var prefix: ElementCode?

  /// The name without the root's prefix; nil when it has another or none. The first name asked about is the root's.
  mutating func localName(of name: Range<Int>, in bytes: Span<UInt8>) -> ElementCode? {
    let colon = name.first { bytes[$0] == UInt8(ascii: ":") }
    let own = colon.map { Self.code(of: name.lowerBound..<$0, in: bytes) }
    if !isKnown { (isKnown, prefix) = (true, own) }
    guard let colon, own == prefix else { return nil }
    return Self.code(of: (colon &+ 1)..<name.upperBound, in: bytes)
  }

  private static func code(of range: Range<Int>, in bytes: Span<UInt8>) -> ElementCode {
    var code = ElementCode()
    for index in range { code.add(bytes[index].lowercased) }
    return code
  }
}
