/// Text as UTF-8, whatever it is saved as: UTF-8 with or without a byte order mark, UTF-16, or windows-1252, which
/// spreadsheets call ANSI and which has Latin-1's letters.
///
/// What has no mark is UTF-8 or windows-1252: the first letter beyond ASCII decides, for all that follows. So a text is of
/// one encoding, however its bytes arrive.
final class TextSource: ByteSource {
  private enum Encoding {
    /// Nothing but ASCII so far.
    case open
    case utf8
    case windows1252
    case utf16(isBigEndian: Bool)
  }

  private let source: any ByteSource
  private var encoding: Encoding
  /// The beginning of a character whose end is not there yet.
  private var carried: [UInt8] = []
  private var hasEnded = false

  /// Looks at the first bytes.
  init(_ source: PeekingSource) throws(InputError) {
    self.source = source
    encoding = .open
    if try source.begins(with: [0xEF, 0xBB, 0xBF]) {
      source.drop(3)
      encoding = .utf8
    } else if try source.begins(with: [0xFF, 0xFE]) {
      source.drop(2)
      encoding = .utf16(isBigEndian: false)
    } else if try source.begins(with: [0xFE, 0xFF]) {
      source.drop(2)
      encoding = .utf16(isBigEndian: true)
    } else {
      // Without a mark, its first letter is ASCII, as in a link or the name of a column.
      let first = Array(try source.first(2))
      if first.count == 2, (first[0] == 0) != (first[1] == 0) {
        encoding = .utf16(isBigEndian: first[0] == 0)
      }
    }
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    guard !hasEnded else { return nil }
    let chunk = try source.nextChunk()
    hasEnded = chunk == nil
    if carried.isEmpty {
      guard let chunk else { return nil }
      return converted(chunk)
    }
    let bytes = carried + (chunk ?? [])
    carried = []
    return converted(bytes)
  }

  private func converted(_ bytes: [UInt8]) -> [UInt8] {
    switch encoding {
    case .utf8: bytes
    case .windows1252: Self.fromWindows1252(bytes[...])
    case .utf16(let isBigEndian): fromUTF16(bytes, isBigEndian)
    case .open: settled(bytes)
    }
  }

  /// Decides by the first byte that is not ASCII and those behind it.
  private func settled(_ bytes: [UInt8]) -> [UInt8] {
    guard let start = bytes.firstIndex(where: { $0 >= 0x80 }) else { return bytes }
    switch UTF8Beginning(bytes[start...]) {
    case .whole: encoding = .utf8
    case .cut where !hasEnded:
      carried = Array(bytes[start...])
      return Array(bytes[..<start])
    case .cut, .broken:
      encoding = .windows1252
      return Self.fromWindows1252(bytes[...])
    }
    return bytes
  }

  private func fromUTF16(_ bytes: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = 0
    while index + 1 < bytes.count {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    if !hasEnded {
      // Half a unit, or half of a pair of them.
      if let last = units.last, UTF16.isLeadSurrogate(last) {
        units.removeLast()
        index -= 2
      }
      carried = Array(bytes[index...])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func fromWindows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let isSpecial = (0x80...0x9F).contains(byte)
      text.append(isSpecial ? specials[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return Array(String(text).utf8)
  }

  /// What 0x80 to 0x9F stand for, as the Encoding Standard has it.
  private static let specials = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

/// Whether bytes begin with a character of UTF-8 beyond ASCII.
private enum UTF8Beginning {
  case whole
  /// They end before the character does.
  case cut
  case broken

  init(_ bytes: ArraySlice<UInt8>) {
    let length =
      switch bytes.first ?? 0 {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else {
      self = .broken
      return
    }
    let character = bytes.prefix(length)
    if character.count == length {
      self = String(validating: character, as: UTF8.self) == nil ? .broken : .whole
    } else {
      self = character.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 } ? .cut : .broken
    }
  }
}
