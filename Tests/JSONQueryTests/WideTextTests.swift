import JSONQuery
import Testing

struct WideTextTests {
  enum Encoding: CaseIterable {
    case utf16BigEndian
    case utf16LittleEndian
    case utf32BigEndian
    case utf32LittleEndian

    func encode(_ text: String) -> [UInt8] {
      switch self {
      case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .utf32BigEndian: text.unicodeScalars.flatMap { bytes(of: $0.value) }
      case .utf32LittleEndian: text.unicodeScalars.flatMap { bytes(of: $0.value).reversed() }
      }
    }

    private func bytes(of value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
  }

  @Test(arguments: Encoding.allCases, ["", "\u{FEFF}"])
  func `a document in UTF-16 or UTF-32 is converted`(encoding: Encoding, mark: String) throws {
    for text in [#"{"é":"日本語 😀"}"#, "[]", "7", #""日""#] {
      let document = try JSONDocument(parsing: encoding.encode(mark + text))
      #expect(document.root.minified == text)
    }
  }

  @Test(
    arguments: [
      ("half a unit", [0x00, 0x5B, 0x00], 2),
      ("a lone high surrogate", [0x00, 0x22, 0xD8, 0x00, 0x00, 0x22], 2),
      ("a lone low surrogate", [0x22, 0x00, 0x00, 0xDC, 0x22, 0x00], 2),
      ("a cut pair", [0x00, 0x22, 0xD8, 0x3D], 2),
      ("a surrogate in UTF-32", [0, 0, 0, 0x22, 0, 0, 0xD8, 0], 4),
      ("past U+10FFFF", [0, 0, 0xFE, 0xFF, 0, 0x11, 0, 0], 4),
    ] as [(String, [UInt8], Int)])
  func `malformed wide text is refused`(name: String, bytes: [UInt8], offset: Int) {
    #expect(refusal(of: bytes) == JSONError(.malformedWideText, at: offset), "\(name)")
  }

  @Test(arguments: [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0]] as [[UInt8]])
  func `a byte order mark alone is an empty document`(bytes: [UInt8]) {
    #expect(refusal(of: bytes)?.reason == .endsTooEarly)
  }
}
