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
