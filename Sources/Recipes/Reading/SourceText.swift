import JSONQuery

/// The bytes of a recipe, and where their lines start.
struct SourceText {
  private let bytes: [UInt8]
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no character of the first line.
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for (index, byte) in bytes.enumerated() {
      let isPair =
        byte == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !isPair { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  func problem(at offset: Int, _ message: String) -> RecipeProblem {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let start = lineStarts[low]
    let before = start < offset ? bytes[start..<min(offset, bytes.count)] : []
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    return RecipeProblem(line: low + 1, column: column, message: message)
  }

  /// Where a byte of a decoded string is written; for the first that is its opening quote.
  func offset(ofByte wanted: Int, in string: JSONValue) -> Int {
    guard wanted > 0 else { return string.offset }
    var at = string.offset + 1
    let end = string.offset + string.length - 1
    var decoded = 0
    while at < end {
      let (written, read) = step(at)
      guard decoded + read <= wanted else { break }
      decoded += read
      at += written
    }
    return at
  }

  /// How many bytes the character or escape at a place takes as it is written, and as it is read.
  private func step(_ at: Int) -> (written: Int, read: Int) {
    guard bytes[at] == UInt8(ascii: "\\") else { return (1, 1) }
    guard bytes[at + 1] == UInt8(ascii: "u") else { return (2, 1) }
    let unit = UInt32(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16) ?? 0
    switch unit {
    case ..<0x80: return (6, 1)
    case ..<0x800: return (6, 2)
    // The document was checked: the other half follows.
    case 0xD800..<0xE000: return (12, 4)
    default: return (6, 3)
    }
  }
}
