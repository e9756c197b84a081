import Posix

/// Text on its way to UTF-8.
struct UTF8Text {
  private(set) var bytes: [UInt8] = []

  /// - Parameter source: The size of what is decoded, which is mostly ASCII.
  init(expecting source: Int) {
    bytes.reserveCapacity(source + source / 4)
  }

  mutating func append(ascii byte: UInt8) { bytes.append(byte) }

  /// Appends a code point; an invalid one becomes U+FFFD.
  mutating func append(_ number: UInt32) {
    bytes.append(addingCapacity: 4) { bytes in
      switch number {
      case ..<0x80:
        bytes.append(UInt8(number))
      case ..<0x800:
        bytes.append(0xC0 | UInt8(number >> 6))
        bytes.append(0x80 | UInt8(number & 0x3F))
      case 0xD800...0xDFFF, 0x11_0000...:
        for byte in Self.replacement { bytes.append(byte) }
      case ..<0x1_0000:
        bytes.append(0xE0 | UInt8(number >> 12))
        bytes.append(0x80 | UInt8(number >> 6 & 0x3F))
        bytes.append(0x80 | UInt8(number & 0x3F))
      default:
        bytes.append(0xF0 | UInt8(number >> 18))
        bytes.append(0x80 | UInt8(number >> 12 & 0x3F))
        bytes.append(0x80 | UInt8(number >> 6 & 0x3F))
        bytes.append(0x80 | UInt8(number & 0x3F))
      }
    }
  }

  /// Appends the ASCII characters from an index on, and moves it behind them.
  mutating func appendASCII(of source: [UInt8], from index: inout Int) {
    let end = source.span.endOfASCII(from: index)
    bytes.append(copying: source.span.extracting(index..<end))
    index = end
  }

  mutating func appendReplacement() { bytes += Self.replacement }

  private static let replacement = Array("\u{FFFD}".utf8)
}
