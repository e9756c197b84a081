/// The lines of a head, or of the fields behind a chunked body.
struct HeadLines: Sendable {
  /// All lines, without their ends.
  private(set) var bytes: [UInt8] = []
  private(set) var method = 0..<0
  private(set) var target = 0..<0
  private(set) var isVersion11 = false
  private(set) var fields: [(name: Range<Int>, value: Range<Int>)] = []
  private(set) var awaitsRequestLine: Bool
  private var hadEmptyLine = false
  /// How many bytes may still come.
  private(set) var room = 16 << 10

  private static let longestTarget = 8 << 10
  private static let mostFields = 64

  init(isTrailer: Bool = false) {
    awaitsRequestLine = !isTrailer
  }

  /// - Returns: Whether the head is whole.
  mutating func take(_ line: ArraySlice<UInt8>) throws(Refusal) -> Bool {
    room -= line.count + 2
    if awaitsRequestLine {
      // RFC 9112, 2.2: an empty line before the request is passed over.
      if line.isEmpty, !hadEmptyLine {
        hadEmptyLine = true
      } else {
        try takeRequestLine(line)
      }
      return false
    }
    guard let first = line.first else { return true }
    guard !first.isBlank else { throw .foldedField }
    try takeField(line)
    return false
  }

  private mutating func takeRequestLine(_ line: ArraySlice<UInt8>) throws(Refusal) {
    bytes.reserveCapacity(512)
    fields.reserveCapacity(16)
    bytes += line
    guard let space = bytes.firstIndex(of: .space), space > 0, bytes[..<space].allSatisfy(\.isTokenByte),
      let last = bytes[(space + 1)...].firstIndex(of: .space)
    else { throw .malformedRequestLine }
    (method, target) = (0..<space, space + 1..<last)
    let version = Array(bytes[(last + 1)...])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[5].isDigit,
      version[6] == UInt8(ascii: "."), version[7].isDigit
    else { throw .malformedRequestLine }
    guard version[5] == UInt8(ascii: "1"), version[7] <= UInt8(ascii: "1") else { throw .unknownVersion }
    isVersion11 = version[7] == UInt8(ascii: "1")
    guard bytes[target].allSatisfy(\.isTargetByte) else { throw .malformedTarget }
    guard target.count <= Self.longestTarget else { throw .targetTooLong }
    awaitsRequestLine = false
  }

  private mutating func takeField(_ line: ArraySlice<UInt8>) throws(Refusal) {
    guard fields.count < Self.mostFields else { throw .tooManyFields }
    let start = bytes.count
    bytes += line
    guard let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")), colon > start,
      bytes[start..<colon].allSatisfy(\.isTokenByte)
    else { throw .malformedFieldName }
    let value = bytes[(colon + 1)...].trimmed
    guard value.allSatisfy(\.isValueByte) else { throw .malformedFieldValue }
    fields.append((start..<colon, value.startIndex..<value.endIndex))
  }
}
