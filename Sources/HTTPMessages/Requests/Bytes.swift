/// The bytes that RFC 9110 and 9112 name.
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// Of a method or a field name.
  @inlinable public var isTokenByte: Bool {
    switch self {
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Of a method, or of the empty line that may stand before it.
  var mayBeginRequest: Bool { isTokenByte || self == .carriageReturn }

  /// Visible ASCII. A fragment never leaves the client.
  var isTargetByte: Bool { self > 0x20 && self < 0x7F && self != UInt8(ascii: "#") }

  /// Of a field value: no control byte but the tab.
  @inlinable public var isValueByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

  /// A control byte that no text has, by the MIME Sniffing standard.
  public var isBinary: Bool {
    switch self {
    case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: true
    default: false
    }
  }

  var isDigit: Bool { 0x30...0x39 ~= self }

  var isBlank: Bool { self == .space || self == .tab }

  /// Of a name in `Host`.
  fileprivate var isHostByte: Bool {
    switch self {
    case 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E: true
    default: false
    }
  }

  var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

  var hexDigit: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x37
    case 0x61...0x66: Int(self) - 0x57
    default: nil
    }
  }
}

extension Collection<UInt8> {
  /// Whether these bytes spell a lower-case word, in whichever case.
  func spells(_ word: String) -> Bool {
    let letters = word.utf8
    return count == letters.count && zip(self, letters).allSatisfy { $0.lowercased == $1 }
  }

  /// Without blanks at both ends.
  var trimmed: SubSequence {
    let start = drop { $0.isBlank }
    let last = start.indices.reversed().first { !start[$0].isBlank }
    return last.map { start[...$0] } ?? start.prefix(0)
  }
}

extension ArraySlice<UInt8> {
  /// Whether this is a name or an address, and perhaps a port.
  var isHost: Bool {
    var name = prefix { $0.isHostByte }
    if first == UInt8(ascii: "["), let end = firstIndex(of: UInt8(ascii: "]")) {
      name = self[startIndex...end]
      let address = name.dropFirst().dropLast()
      guard !address.isEmpty, address.allSatisfy({ $0.hexDigit != nil || $0 == 0x3A || $0 == 0x2E }) else {
        return false
      }
    }
    let port = self[name.endIndex...]
    return !name.isEmpty && (port.isEmpty || port.first == 0x3A && port.dropFirst().allSatisfy(\.isDigit))
  }
}

/// Decodes a part of a query as forms send it, where a plus is a space; nil for a bad escape, a zero byte, or what is not
/// UTF-8.
public func queryDecoded(_ bytes: some Sequence<UInt8>) -> String? {
  var decoded: [UInt8] = []
  var iterator = bytes.makeIterator()
  while let byte = iterator.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = iterator.next()?.hexDigit, let low = iterator.next()?.hexDigit, high | low != 0 else {
        return nil
      }
      decoded.append(UInt8(high << 4 | low))
    case UInt8(ascii: "+"): decoded.append(.space)
    case 0: return nil
    default: decoded.append(byte)
    }
  }
  return String(validating: decoded, as: UTF8.self)
}
