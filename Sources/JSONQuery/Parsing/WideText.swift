/// A document written in UTF-16 or UTF-32, recognised by its byte order mark or by its first zero bytes.
///
/// JSON starts with ASCII and never holds a NUL, so a zero byte among the first four tells the width and the order.
struct WideText {
  private let unitSize: Int
  private let isBigEndian: Bool
  private let start: Int

  init?(_ bytes: [UInt8]) {
    let marks: [(mark: [UInt8], unitSize: Int, isBigEndian: Bool)] = [
      ([0x00, 0x00, 0xFE, 0xFF], 4, true), ([0xFF, 0xFE, 0x00, 0x00], 4, false),
      ([0xFE, 0xFF], 2, true), ([0xFF, 0xFE], 2, false),
    ]
    if let found = marks.first(where: { bytes.starts(with: $0.mark) }) {
      (unitSize, isBigEndian, start) = (found.unitSize, found.isBigEndian, found.mark.count)
      return
    }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    switch zeros {
    case [true, true, true, false]: (unitSize, isBigEndian) = (4, true)
    case [false, true, true, true]: (unitSize, isBigEndian) = (4, false)
    case _ where zeros.starts(with: [true, false]): (unitSize, isBigEndian) = (2, true)
    case _ where zeros.starts(with: [false, true]): (unitSize, isBigEndian) = (2, false)
    default: return nil
    }
    start = 0
  }

  /// The same text in UTF-8; an error's offset counts the bytes as they came.
  func utf8(of bytes: [UInt8]) throws(JSONError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / unitSize)
    var at = start
    while at < bytes.count {
      guard let (scalar, end) = readScalar(bytes, at: at) else {
        throw JSONError(.malformedWideText, at: at)
      }
      output.append(contentsOf: scalar.utf8)
      at = end
    }
    return output
  }

  private func readScalar(_ bytes: [UInt8], at start: Int) -> (Unicode.Scalar, end: Int)? {
    guard let first = readUnit(bytes, at: start) else { return nil }
    let next = start + unitSize
    if let scalar = Unicode.Scalar(first) { return (scalar, next) }
    guard unitSize == 2, first < 0xDC00, let second = readUnit(bytes, at: next),
      0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
    else { return nil }
    return (scalar, next + 2)
  }

  private func readUnit(_ bytes: [UInt8], at start: Int) -> UInt32? {
    guard bytes.count - start >= unitSize else { return nil }
    var unit: UInt32 = 0
    for position in 0..<unitSize {
      unit = unit << 8 | UInt32(bytes[start + (isBigEndian ? position : unitSize - 1 - position)])
    }
    return unit
  }

  /// The byte as it came of a byte of the UTF-8 that was made of it.
  func sentOffset(of offset: Int, in utf8: [UInt8]) -> Int {
    let units = utf8.prefix(offset).reduce(0) { units, byte in
      if byte & 0xC0 == 0x80 { return units }
      return units + (byte >= 0xF0 && unitSize == 2 ? 2 : 1)
    }
    return start + units * unitSize
  }

  func sent(_ error: JSONError, _ utf8: [UInt8]) -> JSONError {
    var error = error
    error.offset = sentOffset(of: error.offset, in: utf8)
    return error
  }
}
