/// Links as they stand in an input.
enum LinkText {
  /// Bytes of an overlong link that are kept to show which one it was.
  private static let shownBytes = 200

  static let tooLong = "longer than \(Quantity.byteSize(Int64(LineReader.limit)))"

  static func beginning(of link: some Sequence<UInt8>) -> String {
    "\(String(decoding: Array(link.prefix(shownBytes)), as: UTF8.self))…"
  }

  /// Without the white space and the angle brackets around it, which stand there in mails and documents.
  static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = trimBlanks(bytes)
    let inner = text.dropFirst().dropLast()
    guard text.count >= 2, text.first == UInt8(ascii: "<"), text.last == UInt8(ascii: ">"),
      !inner.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
    else { return text }
    return trimBlanks(inner)
  }

  static func trimmed(_ text: String) -> String {
    String(decoding: trim(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// No-break spaces, spaces of no width, and the space of CJK text, which come along when a link is copied.
  private static let wideBlanks: [[UInt8]] = [
    [0xC2, 0xA0], [0xE2, 0x80, 0x8B], [0xE2, 0x80, 0xAF], [0xE2, 0x81, 0xA0], [0xE3, 0x80, 0x80],
    [0xEF, 0xBB, 0xBF],
  ]

  static func trimBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first {
      if isBlank(first) {
        rest = rest.dropFirst()
      } else if first >= 0x80, let blank = wideBlanks.first(where: rest.starts(with:)) {
        rest = rest.dropFirst(blank.count)
      } else {
        break
      }
    }
    while let last = rest.last {
      if isBlank(last) {
        rest = rest.dropLast()
      } else if last >= 0x80, let blank = wideBlanks.first(where: { rest.suffix($0.count).elementsEqual($0) })
      {
        rest = rest.dropLast(blank.count)
      } else {
        break
      }
    }
    return rest
  }
}
