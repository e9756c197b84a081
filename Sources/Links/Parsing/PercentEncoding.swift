extension [UInt8] {
  mutating func appendPercentEncoded(_ byte: UInt8) {
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

/// Replaces each `%XX` by its byte; a `%` that two hexadecimal digits do not follow stays.
func percentDecoded(_ bytes: Span<UInt8>) -> [UInt8] {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    if bytes[index] == .percent, index + 2 < bytes.count,
      let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
    {
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(bytes[index])
      index += 1
    }
  }
  return decoded
}
