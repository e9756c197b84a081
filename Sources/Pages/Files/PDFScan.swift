/// Reads the tokens of a PDF's objects (ISO 32000, section 7.2).
struct PDFScan {
  enum Token {
    case dictionaryStart
    case dictionaryEnd
    case arrayStart
    case arrayEnd
    case name([UInt8])
    case string([UInt8])
    case word
  }

  /// Longer strings are read to their end, but not kept.
  private static let longestString = 64 << 10

  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Inside the last object of a number: a later one replaces those before it.
  init?(_ bytes: [UInt8], atObject reference: [Int]) {
    guard let number = reference.first, let generation = reference.last else { return nil }
    let heading = "\(number) \(generation) obj"
    var end = bytes.count
    while let start = bytes.span.extracting(..<end).lastIndex(of: heading) {
      if start == 0 || !bytes[start - 1].isASCIIDigit {
        self.init(bytes, at: start + heading.utf8.count)
        return
      }
      end = start
    }
    return nil
  }

  /// `5 0 R` as its two numbers.
  mutating func reference() -> [Int]? {
    guard let number = readNumber(), let generation = readNumber(), skipSpace(),
      bytes[position] == UInt8(ascii: "R")
    else {
      return nil
    }
    return [number, generation]
  }

  private var following: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readNumber() -> Int? {
    guard skipSpace() else { return nil }
    var number = 0
    let start = position
    while let byte = following, byte.isASCIIDigit, position - start < 10 {
      number = number * 10 + Int(byte &- 0x30)
      position += 1
    }
    return position > start ? number : nil
  }

  mutating func next() -> Token? {
    guard skipSpace() else { return nil }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "("): return .string(literal())
    case .less:
      guard following == .less else { return .string(hexadecimal()) }
      position += 1
      return .dictionaryStart
    case .greater:
      if following == .greater { position += 1 }
      return .dictionaryEnd
    case UInt8(ascii: "["): return .arrayStart
    case UInt8(ascii: "]"): return .arrayEnd
    case .slash: return .name(regular())
    default:
      _ = regular()
      return .word
    }
  }

  /// Past white space and comments; false at the end.
  private mutating func skipSpace() -> Bool {
    while let byte = following {
      if byte == UInt8(ascii: "%") {
        while let byte = following, byte != 0x0A, byte != 0x0D { position += 1 }
      } else if byte == 0 || byte.isHTMLSpace {
        position += 1
      } else {
        return true
      }
    }
    return false
  }

  private mutating func regular() -> [UInt8] {
    var name: [UInt8] = []
    while let byte = following, byte > 0x20, !"()<>[]{}/%".utf8.contains(byte) {
      if name.count < 64 { name.append(byte) }
      position += 1
    }
    return name
  }

  private mutating func hexadecimal() -> [UInt8] {
    var digits: [UInt8] = []
    while let byte = following, byte != .greater {
      position += 1
      if let value = byte.hexadecimalValue, digits.count < Self.longestString { digits.append(UInt8(value)) }
    }
    position += 1
    if digits.count % 2 == 1 { digits.append(0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Parentheses in pairs belong to the string.
  private mutating func literal() -> [UInt8] {
    var string: [UInt8] = []
    var depth = 1
    while let byte = following {
      position += 1
      var kept: UInt8? = byte
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return string }
      case UInt8(ascii: "\\"): kept = escaped()
      case 0x0D:
        if following == 0x0A { position += 1 }
        kept = 0x0A
      default: break
      }
      if let kept, string.count < Self.longestString { string.append(kept) }
    }
    return string
  }

  /// What stands behind a backslash; nil for the end of a line, which is no part of the string.
  private mutating func escaped() -> UInt8? {
    guard let byte = following else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case 0x0A: return nil
    case 0x0D:
      if following == 0x0A { position += 1 }
      return nil
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = UInt16(byte &- 0x30)
      for _ in 0..<2 {
        guard let digit = following, (0x30...0x37).contains(digit) else { break }
        value = value * 8 + UInt16(digit &- 0x30)
        position += 1
      }
      return UInt8(truncatingIfNeeded: value)
    default: return byte
    }
  }
}
