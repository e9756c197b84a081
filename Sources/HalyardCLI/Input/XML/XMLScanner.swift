/// Why a document cannot be read any further.
struct XMLFault: Error, Hashable {
  var offset: Int
  var problem: String
}

/// Pulls tags and text out of a document in one pass; entities of its own are not read, so nothing can expand.
struct XMLScanner {
  enum Event: Hashable {
    case start(name: String, attributes: [String: ArraySlice<UInt8>], isEmpty: Bool)
    case end(name: String)
    /// As it is written; CDATA has no references.
    case text(ArraySlice<UInt8>, isCDATA: Bool)
  }

  private static let longestTag = 65_536

  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// nil at the end of the document.
  mutating func next() throws(XMLFault) -> Event? {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return .text(bytes[position..<end], isCDATA: false)
      }
      if begins("<!--") {
        _ = try skip("<!--", until: "-->")
      } else if begins("<![CDATA[") {
        return .text(try skip("<![CDATA[", until: "]]>"), isCDATA: true)
      } else if begins("<?") {
        _ = try skip("<?", until: "?>")
      } else if begins("<!") {
        let start = position
        if try skip("<!", until: ">").contains(UInt8(ascii: "[")) {
          throw XMLFault(offset: start, problem: "declarations inside <!DOCTYPE> are not supported")
        }
      } else {
        return try tag()
      }
    }
    return nil
  }

  private func begins(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private mutating func skip(_ opening: String, until closing: String) throws(XMLFault) -> ArraySlice<UInt8> {
    let mark = Array(closing.utf8)
    let start = position + opening.utf8.count
    var end = start
    while end + mark.count <= bytes.count {
      if bytes[end] == mark[0], bytes[end..<end + mark.count].elementsEqual(mark) {
        position = end + mark.count
        return bytes[start..<end]
      }
      end += 1
    }
    throw XMLFault(offset: position, problem: "\(opening) is not closed")
  }

  private mutating func tag() throws(XMLFault) -> Event {
    let start = position
    position += 1
    let closes = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if closes { position += 1 }
    let name = name()
    guard !name.isEmpty else { throw XMLFault(offset: start, problem: "'<' does not begin a tag") }
    var attributes: [String: ArraySlice<UInt8>] = [:]
    while true {
      skipBlanks()
      guard position < bytes.count, position - start < Self.longestTag else {
        throw XMLFault(offset: start, problem: "a tag is not closed, or is longer than 64 KiB")
      }
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return closes ? .end(name: name) : .start(name: name, attributes: attributes, isEmpty: false)
      case UInt8(ascii: "/") where !closes && begins("/>"):
        position += 2
        return .start(name: name, attributes: attributes, isEmpty: true)
      default:
        let (key, value) = try attribute()
        attributes[key] = value
      }
    }
  }

  private mutating func attribute() throws(XMLFault) -> (String, ArraySlice<UInt8>) {
    let fault = XMLFault(offset: position, problem: "an attribute is not written as name=\"value\"")
    let key = name()
    skipBlanks()
    guard !key.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "=") else { throw fault }
    position += 1
    skipBlanks()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    else { throw fault }
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: bytes[position]) else { throw fault }
    position = end + 1
    return (key, bytes[start..<end])
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}

/// The five entities and the numeric references of XML.
enum XMLText {
  private static let longestReference = 10

  /// nil when it holds a reference that XML alone does not know.
  static func decoded(_ raw: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = raw
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<mark]
      let body = rest[(mark + 1)...]
      guard let end = body.prefix(longestReference + 1).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: body[..<end], as: UTF8.self))
      else { return nil }
      result += Array(String(Character(character)).utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.hasPrefix("x")
    guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10) else { return nil }
    return Unicode.Scalar(value)
  }
}
