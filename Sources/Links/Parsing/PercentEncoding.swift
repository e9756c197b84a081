extension UInt8 {
  /// Whether no part of a URL means anything by it.
  public var isUnreserved: Bool { ByteSet.unreserved.contains(self) }
}

extension [UInt8] {
  /// Appends a byte as `%XX`.
  public mutating func appendPercentEncoded(_ byte: UInt8) {
    append(.percent)
    append(.hexDigit(byte >> 4))
    append(.hexDigit(byte & 15))
  }

  /// Appends bytes, those outside `plain` as `%XX`.
  mutating func append(_ bytes: Span<UInt8>, encodingAllBut plain: ByteSet) {
    for index in bytes.indices {
      let byte = bytes[index]
      if plain.contains(byte) {
        append(byte)
      } else {
        appendPercentEncoded(byte)
      }
    }
  }
}

/// The text as a value in a query.
public func percentEncoded(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.append(text.utf8Span.span, encodingAllBut: .unreserved)
  return String(decoding: bytes, as: UTF8.self)
}

extension Span<UInt8> {
  /// What the `%XX` at a place stands for; nil where there is none.
  public func encodedByte(at index: Int) -> UInt8? {
    guard index + 2 < count, self[index] == .percent, let high = self[index + 1].hexDigitValue,
      let low = self[index + 2].hexDigitValue
    else { return nil }
    return high << 4 | low
  }
}

/// Replaces each `%XX` by its byte; a `%` that two hexadecimal digits do not follow stays.
public func percentDecoded(_ bytes: Span<UInt8>) -> [UInt8] {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    let byte = bytes.encodedByte(at: index)
    decoded.append(byte ?? bytes[index])
    index += byte == nil ? 1 : 3
  }
  return decoded
}

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

extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var hash: UInt8 { 0x23 }
  static var percent: UInt8 { 0x25 }
  static var plus: UInt8 { 0x2B }
  static var hyphen: UInt8 { 0x2D }
  static var dot: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var colon: UInt8 { 0x3A }
  static var question: UInt8 { 0x3F }
  static var at: UInt8 { 0x40 }
  static var leftBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var rightBracket: UInt8 { 0x5D }

  var isASCIIDigit: Bool { self &- 0x30 < 10 }
  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isASCII: Bool { self < 0x80 }
  var isTabOrLineBreak: Bool { self == .tab || self == .lineFeed || self == .carriageReturn }

  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit, also of a decimal or octal one.
  var hexDigitValue: UInt8? {
    if isASCIIDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }

  /// The upper-case hexadecimal digit of a value below 16.
  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &+ 0x37
  }
}
