extension Charset {
  /// Reads the C library's tables, which else are read with the first text that needs them: a process that confines itself
  /// cannot read files later. Takes some hundredths of a second.
  public static func loadTables() {
    for charset in Charset.allCases { _ = CharsetSupport.system.hasTables(charset) }
  }
}

/// Which charsets a system can read; the C library may come without the tables of some.
struct CharsetSupport: Sendable {
  let hasTables: @Sendable (Charset) -> Bool

  static let system = CharsetSupport { charset in charset.pairIndexes.allSatisfy(\.isAvailable) }

  /// What is lost of a text in a charset, if anything is.
  func warning(of charset: Charset, in text: Span<UInt8>) -> PageWarning? {
    guard !hasTables(charset) else { return nil }
    let needsTables = charset == .iso2022JP || text.endOfASCII(from: 0) < text.count
    return needsTables ? .charsetUnavailable(charset) : nil
  }
}

extension Charset {
  /// The tables of the C library that its text is read by.
  fileprivate var pairIndexes: [PairIndex] {
    switch self {
    case .shiftJIS, .iso2022JP: [.shiftJIS]
    case .eucJP: [.shiftJIS, .jis0212]
    case .eucKR: [.eucKR]
    case .big5: [.big5]
    case .gbk, .gb18030: [.gb18030]
    default: []
    }
  }
}
