internal import HTTPMessages

/// Header bytes as they come off the wire.
extension Span<UInt8> {
  var countWithoutLineEnd: Int {
    var end = count
    while end > 0, self[end - 1] == 13 || self[end - 1] == 10 { end -= 1 }
    return end
  }

  /// What is left from `start` on without the spaces and tabs around it.
  func trimmedRange(from first: Int = 0) -> Range<Int> {
    var start = first
    var end = count
    while start < end, self[start] == 32 || self[start] == 9 { start += 1 }
    while start < end, self[end - 1] == 32 || self[end - 1] == 9 { end -= 1 }
    return start..<end
  }

  var isToken: Bool {
    for index in indices where !self[index].isTokenByte { return false }
    return true
  }

  /// The number that the digits at the start make; nil without digits, or beyond 64 bits.
  var leadingNumber: Int64? {
    var number: Int64 = 0
    var index = 0
    while index < count, (48...57).contains(self[index]) {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.addingReportingOverflow(Int64(self[index] - 48))
      if overflow || sumOverflow { return nil }
      number = sum
      index += 1
    }
    return index == 0 ? nil : number
  }

  /// Compares without case with a name in lower case.
  func isNamed(_ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in name.description.utf8 {
      let own = self[index]
      let lower = (65...90).contains(own) ? own | 0x20 : own
      if lower != byte { return false }
      index += 1
    }
    return true
  }

  /// Whether the value of a header of this name is a URL to go to.
  var namesLink: Bool {
    isNamed("location") || isNamed("refresh")
  }

  /// nil when the bytes are not UTF-8.
  var utf8Text: String? {
    guard let valid = try? UTF8Span(validating: self) else { return nil }
    return String(copying: valid)
  }

  /// Bytes that are not UTF-8: percent-encoded in links, where their values count, and read as Latin-1 elsewhere.
  func otherText(isLink: Bool) -> String {
    var text = String.UnicodeScalarView()
    for index in indices {
      let byte = self[index]
      if isLink, byte >= 0x80 {
        text.append(contentsOf: "%\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
      } else {
        text.append(Unicode.Scalar(byte))
      }
    }
    return String(text)
  }
}
