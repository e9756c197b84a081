/// A set of ASCII bytes; no byte from 0x80 up is ever a member.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The printable ASCII bytes without those of `text`.
  init(printableExcept text: StaticString) {
    let excluded = Array(text.description.utf8)
    for byte in UInt8(0x21)...0x7E where !excluded.contains(byte) {
      insert(byte)
    }
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 {
      low |= 1 << UInt64(byte)
    } else {
      high |= 1 << UInt64(byte & 63)
    }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let half = byte < 64 ? low : high
    return byte < 0x80 && (half &>> UInt64(byte & 63)) & 1 == 1
  }
}

/// What each part of a URL may hold as it is: the complements of the URL standard's percent-encode sets.
extension ByteSet {
  /// Also without the bytes that end a segment or the path.
  static let pathSegment = ByteSet(printableExcept: ##""#<>?^`{}/\"##)
  static let query = ByteSet(printableExcept: ##""#<>'"##)
  static let fragment = ByteSet(printableExcept: #""<>`"#)
  static let userinfo = ByteSet(printableExcept: ##""#<>?^`{}/:;=@[\]|"##)
  /// What no part of a URL means anything by (RFC 3986, section 2.3).
  static let unreserved = ByteSet(printableExcept: ##"!"#$%&'()*+,/:;<=>?@[\]^`{|}"##)
  static let domain = ByteSet(printableExcept: ##"#%/:<>?@[\]^|"##)
}
