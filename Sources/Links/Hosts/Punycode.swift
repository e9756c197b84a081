/// RFC 3492, the ASCII form of one label without its `xn--`.
enum Punycode {
  private static let base = 36
  private static let initialBias = 72
  private static let initialScalar = 0x80

  static func encode(_ label: [Unicode.Scalar]) -> [UInt8] {
    var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    let basicCount = output.count
    var handled = basicCount
    if basicCount > 0 { output.append(.hyphen) }
    var scalar = initialScalar
    var delta = 0
    var bias = initialBias
    while let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= scalar }).min() {
      delta += (next - scalar) * (handled + 1)
      scalar = next
      for value in label.lazy.map({ Int($0.value) }) {
        if value < scalar { delta += 1 }
        guard value == scalar else { continue }
        appendInteger(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      scalar += 1
    }
    return output
  }

  /// Nil when the text is not what `encode` could have written.
  static func decode(_ text: Span<UInt8>) -> [Unicode.Scalar]? {
    var output: [Unicode.Scalar] = []
    var position = 0
    for index in text.indices where text[index] == .hyphen { position = index + 1 }
    // A hyphen in front separates nothing, and it is no digit either.
    guard position != 1 else { return nil }
    for index in 0..<max(position - 1, 0) {
      guard text[index].isASCII else { return nil }
      output.append(Unicode.Scalar(text[index]))
    }
    var scalar = initialScalar
    var insertion = 0
    var bias = initialBias
    while position < text.count {
      guard let delta = readInteger(text, from: &position, bias: bias) else { return nil }
      let (place, overflow) = insertion.addingReportingOverflow(delta)
      guard !overflow else { return nil }
      let count = output.count + 1
      bias = adapted(delta, count: count, isFirst: insertion == 0)
      let (value, isTooLarge) = scalar.addingReportingOverflow(place / count)
      guard !isTooLarge, let bits = UInt32(exactly: value), let decoded = Unicode.Scalar(bits) else {
        return nil
      }
      scalar = value
      output.insert(decoded, at: place % count)
      insertion = place % count + 1
    }
    return output
  }

  private static func appendInteger(_ value: Int, bias: Int, to output: inout [UInt8]) {
    var rest = value
    var weight = base
    while true {
      let threshold = min(max(weight - bias, 1), 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      weight += base
    }
    output.append(digit(rest))
  }

  private static func readInteger(_ text: Span<UInt8>, from position: inout Int, bias: Int) -> Int? {
    var value = 0
    var factor = 1
    var weight = base
    while position < text.count {
      guard let digit = digitValue(text[position]) else { return nil }
      position += 1
      value += digit * factor
      guard value <= Int(Int32.max) else { return nil }
      let threshold = min(max(weight - bias, 1), 26)
      if digit < threshold { return value }
      factor *= base - threshold
      guard factor <= Int(Int32.max) else { return nil }
      weight += base
    }
    return nil
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var bias = 0
    while rest > 455 {
      rest /= 35
      bias += base
    }
    return bias + 36 * rest / (rest + 38)
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value + 22)
  }

  private static func digitValue(_ byte: UInt8) -> Int? {
    if byte.isASCIILetter { return Int((byte | 0x20) - 0x61) }
    if byte.isASCIIDigit { return Int(byte) - 22 }
    return nil
  }
}
