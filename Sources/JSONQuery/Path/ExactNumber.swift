/// A number as it is written, compared by its value to the last digit: 1, 1.0 and 10e-1 are equal.
///
/// Nothing is rounded, whatever its size; an exponent beyond ±2⁵⁸ counts as that.
struct ExactNumber: Sendable {
  private let text: ArraySlice<UInt8>
  private let isNegative: Bool
  /// The first digit that is not zero, or nil for zero.
  private let firstDigit: Int?
  private let endOfDigits: Int
  /// The power of ten that the number is just below, when its digits stand behind a point.
  private let magnitude: Int

  /// - Parameter text: What the grammar of JSON numbers was checked for.
  init(checked text: ArraySlice<UInt8>) {
    self.text = text
    isNegative = text.first == UInt8(ascii: "-")
    var first: Int?
    var point: Int?
    var at = text.startIndex + (isNegative ? 1 : 0)
    while at < text.endIndex, text[at] | 0x20 != UInt8(ascii: "e") {
      if text[at] == UInt8(ascii: ".") {
        point = at
      } else if first == nil, text[at] != UInt8(ascii: "0") {
        first = at
      }
      at += 1
    }
    firstDigit = first
    endOfDigits = at
    let size = (point ?? at) - (first ?? at)
    magnitude = (size < 0 ? size + 1 : size) + Self.exponent(text[at...].dropFirst())
  }

  init(_ number: Int) { self.init(checked: Array(String(number).utf8)[...]) }

  private static let largestExponent = 1 << 58

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    var exponent = 0
    for digit in text where isDigit(digit) {
      exponent = min(exponent * 10 + Int(digit - UInt8(ascii: "0")), largestExponent)
    }
    return isNegative ? -exponent : exponent
  }

  private var sign: Int { firstDigit == nil ? 0 : isNegative ? -1 : 1 }

  /// Below zero when this one is smaller, zero when both are equal.
  func compared(to other: ExactNumber) -> Int {
    guard sign == other.sign else { return sign - other.sign }
    guard let first = firstDigit, let otherFirst = other.firstDigit else { return 0 }
    guard magnitude == other.magnitude else { return magnitude < other.magnitude ? -sign : sign }
    var (at, otherAt) = (first, otherFirst)
    while at < endOfDigits || otherAt < other.endOfDigits {
      let (digit, otherDigit) = (digit(at: &at), other.digit(at: &otherAt))
      if digit != otherDigit { return digit < otherDigit ? -sign : sign }
    }
    return 0
  }

  /// The digit here or behind the point that is here; behind the last digit follow zeros.
  private func digit(at: inout Int) -> UInt8 {
    if at < endOfDigits, text[at] == UInt8(ascii: ".") { at += 1 }
    guard at < endOfDigits else { return UInt8(ascii: "0") }
    defer { at += 1 }
    return text[at]
  }
}
