extension UInt8 {
  /// The white space of HTML: tab, line feed, form feed, carriage return, space.
  var isHTMLSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }

  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  var isASCIIDigit: Bool { self &- 0x30 < 10 }

  var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  var hexadecimalValue: UInt32? {
    if isASCIIDigit { return UInt32(self &- 0x30) }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) &+ 10 : nil
  }
}

extension UInt8 {
  static let ampersand = UInt8(ascii: "&")
  static let dash = UInt8(ascii: "-")
  static let doubleQuote = UInt8(ascii: "\"")
  static let equals = UInt8(ascii: "=")
  static let exclamation = UInt8(ascii: "!")
  static let greater = UInt8(ascii: ">")
  static let less = UInt8(ascii: "<")
  static let question = UInt8(ascii: "?")
  static let semicolon = UInt8(ascii: ";")
  static let singleQuote = UInt8(ascii: "'")
  static let slash = UInt8(ascii: "/")
  static let space = UInt8(ascii: " ")
}
