import Links

/// The languages that a user asks for, as the header Accept-Language has them (RFC 9110, section 12.5.4).
public enum LanguageList {
  /// What is said of a text that is none.
  public static let complaint = "is not a list of languages such as 'de' or 'pt-BR, pt;q=0.8'"

  /// Every browser sends less.
  private static let mostBytes = 500

  public static func isOne(_ text: String) -> Bool {
    text.utf8.count <= mostBytes
      && text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy { item in
        let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
          .map { $0.trimming(while: isSpace) }
        return isRange(parts[0]) && parts.count <= 2 && parts.dropFirst().allSatisfy(isWeight)
      }
  }

  /// Such as `pt-BR`, or `*` for any (RFC 4647, section 2.1).
  private static func isRange(_ text: Substring.UTF8View) -> Bool {
    if text.elementsEqual("*".utf8) { return true }
    let tags = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return tags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
      && tags[0].allSatisfy(isLetter)
  }

  /// From `q=0` to `q=1`, with up to three digits behind the point.
  private static func isWeight(_ text: Substring.UTF8View) -> Bool {
    guard Substring(text).lowercased().hasPrefix("q=") else { return false }
    let number = text.dropFirst(2)
    let digits = number.dropFirst(2)
    guard digits.count <= 3, number.dropFirst().first.map({ $0 == UInt8(ascii: ".") }) ?? true else {
      return false
    }
    return switch number.first {
    case UInt8(ascii: "0"): digits.allSatisfy(isDigit)
    case UInt8(ascii: "1"): digits.allSatisfy { $0 == UInt8(ascii: "0") }
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
