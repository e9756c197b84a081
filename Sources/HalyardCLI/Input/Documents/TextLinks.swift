/// The http and https links of running text, without the punctuation and the brackets around them.
struct TextLinks: LinkFinder {
  private let bytes: [UInt8]
  private var position = 0
  let base: [UInt8]? = nil

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> FoundLink? {
    while let colon = bytes[position...].firstIndex(of: UInt8(ascii: ":")) {
      let earliest = position
      position = colon + 1
      guard let start = start(before: colon, from: earliest) else { continue }
      let end = end(from: colon + 3)
      guard end > colon + 3 else { continue }
      position = end
      return FoundLink(reference: Array(bytes[start..<end]), offset: start)
    }
    return nil
  }

  /// Where the scheme before a colon begins, if a host follows it.
  private func start(before colon: Int, from earliest: Int) -> Int? {
    guard bytes[colon...].starts(with: "://".utf8), colon + 3 < bytes.count, Self.beginsHost(bytes[colon + 3])
    else { return nil }
    for scheme in ["https", "http"] {
      let start = colon - scheme.utf8.count
      guard start >= earliest, bytes[start..<colon].lazy.map({ $0 | 0x20 }).elementsEqual(scheme.utf8) else {
        continue
      }
      return start > earliest && isLetterOrDigit(bytes[start - 1]) ? nil : start
    }
    return nil
  }

  /// Ends at white space, quotes, angle brackets, and brackets that close more than the link opened; what ends a sentence
  /// is not part of it.
  private func end(from start: Int) -> Int {
    var open: [UInt8: Int] = [:]
    var index = start
    scan: while index < bytes.count, !ends(at: index) {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open[bytes[index], default: 0] += 1
      case UInt8(ascii: ")"): guard close("(", in: &open) else { break scan }
      case UInt8(ascii: "]"): guard close("[", in: &open) else { break scan }
      case UInt8(ascii: "}"): guard close("{", in: &open) else { break scan }
      default: break
      }
      index += 1
    }
    while index > start, Self.trailing.contains(bytes[index - 1]) { index -= 1 }
    return index
  }

  private func close(_ opening: Unicode.Scalar, in open: inout [UInt8: Int]) -> Bool {
    let byte = UInt8(ascii: opening)
    guard let count = open[byte], count > 0 else { return false }
    open[byte] = count - 1
    return true
  }

  private func ends(at index: Int) -> Bool {
    let byte = bytes[index]
    if byte < 0x80 { return byte <= 0x20 || byte == 0x7F || Self.ending.contains(byte) }
    return Self.wideEnds.contains { bytes[index...].starts(with: $0) }
  }

  private static func beginsHost(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "[") || isLetterOrDigit(byte)
  }

  private static let ending = Set("<>\"`|^\\".utf8)
  private static let trailing = Set(".,;:!?'*_~([{".utf8)
  /// Blanks, quotes and full stops beyond ASCII.
  private static let wideEnds = [
    "\u{85}", "\u{A0}", "«", "»", "\u{2003}", "\u{2009}", "\u{200B}", "\u{2028}", "\u{2029}", "\u{202F}",
    "‘", "’", "“", "”", "„", "…", "\u{3000}", "、", "。", "「", "」", "『", "』", "（", "）", "，", "；", "\u{FEFF}",
  ].map { Array($0.utf8) }
}
