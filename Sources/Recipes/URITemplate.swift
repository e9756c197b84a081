import Links

/// An address with places for values (RFC 6570, levels 1 to 3), such as `{+base}/users/{id}{?page}`.
package struct URITemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// Already encoded.
    case literal(String)
    case expression(TemplateOperator, [TemplateVariable])
  }

  /// The template as it was given.
  package let text: String
  let parts: [Part]

  /// Reads all of `text`; no value is needed to know whether it is sound.
  package init(_ text: String) throws(URITemplateError) {
    guard text.utf8.count <= Self.longestText else { throw URITemplateError(.tooLong, at: Self.longestText) }
    var parser = URITemplateParser(text)
    parts = try parser.readAll()
    self.text = text
  }

  static let empty = URITemplate()

  private init() {
    text = ""
    parts = []
  }

  /// The names of the template's values, in its order; a name that is used twice is there twice.
  package var variables: [TemplateVariable] {
    parts.flatMap { part -> [TemplateVariable] in
      switch part {
      case .literal: []
      case .expression(_, let variables): variables
      }
    }
  }

  /// The address with its values, and where each of them stands; what has none leaves no trace.
  ///
  /// - Parameter value: The text that a name stands for; an empty one is a value too.
  package func expandedBytes<Failure: Error>(
    _ value: (String) throws(Failure) -> String?
  ) throws(Failure) -> (bytes: [UInt8], places: [(name: String, range: Range<Int>)]) {
    var output: [UInt8] = []
    var places: [(name: String, range: Range<Int>)] = []
    for part in parts {
      switch part {
      case .literal(let text): output.append(contentsOf: text.utf8)
      case .expression(let rule, let variables):
        var count = 0
        for variable in variables {
          guard let text = try value(variable.name) else { continue }
          let start = rule.append(variable.name, text, isFirst: count == 0, to: &output)
          places.append((variable.name, start..<output.count))
          count += 1
        }
      }
    }
    return (output, places)
  }

  package static func == (left: URITemplate, right: URITemplate) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  private static let longestText = 8 << 10
}

/// A name inside braces.
package struct TemplateVariable: Hashable, Sendable {
  /// As it is written, with its dots and its `%XX`.
  package var name: String
  /// The byte of the template at which the name starts, counted from 0.
  package var offset: Int
}

/// Reads a template from its first byte to its last.
struct URITemplateParser {
  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func readAll() throws(URITemplateError) -> [URITemplate.Part] {
    var parts: [URITemplate.Part] = []
    while at < bytes.count {
      parts.append(bytes[at] == UInt8(ascii: "{") ? try expression() : .literal(try literal()))
    }
    return parts
  }

  private mutating func literal() throws(URITemplateError) -> String {
    var output: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "{") {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "}"): throw URITemplateError(.strayBrace, at: at)
      case UInt8(ascii: "%"):
        guard bytes.span.encodedByte(at: at) != nil else {
          throw URITemplateError(.malformedPercent, at: at)
        }
        output.append(byte)
      case 0x80...: output.appendPercentEncoded(byte)
      default:
        guard byte.isUnreserved || TemplateEncoding.isReserved(byte) else {
          throw URITemplateError(.forbiddenCharacter, at: at)
        }
        output.append(byte)
      }
      at += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func expression() throws(URITemplateError) -> URITemplate.Part {
    let start = at
    guard bytes[start...].contains(UInt8(ascii: "}")) else {
      throw URITemplateError(.unclosedBrace, at: start)
    }
    at += 1
    let rule = try operatorRule()
    var variables: [TemplateVariable] = []
    while true {
      variables.append(try variable())
      let end = at
      at += 1
      switch bytes[end] {
      case UInt8(ascii: "}"): return .expression(rule, variables)
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "*"): throw URITemplateError(.explodeModifier, at: end)
      case UInt8(ascii: ":"): throw URITemplateError(.prefixModifier, at: end)
      default: throw URITemplateError(.expectedCommaOrBrace, at: end)
      }
    }
  }

  private mutating func operatorRule() throws(URITemplateError) -> TemplateOperator {
    switch bytes[at] {
    case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "@"), UInt8(ascii: "|"):
      throw URITemplateError(.reservedOperator, at: at)
    default:
      guard let rule = TemplateOperator(rawValue: bytes[at]), rule != .simple else { return .simple }
      at += 1
      return rule
    }
  }

  /// A name; a closing brace stands somewhere behind it.
  private mutating func variable() throws(URITemplateError) -> TemplateVariable {
    let start = at
    var needsCharacter = true
    while true {
      let byte = bytes[at]
      if byte == UInt8(ascii: "%"), bytes.span.encodedByte(at: at) != nil {
        at += 3
        needsCharacter = false
      } else if isLetterOrDigit(byte) {
        at += 1
        needsCharacter = false
      } else if byte == UInt8(ascii: "."), !needsCharacter {
        at += 1
        needsCharacter = true
      } else {
        guard !needsCharacter else { throw URITemplateError(.expectedName, at: at) }
        return TemplateVariable(name: String(decoding: bytes[start..<at], as: UTF8.self), offset: start)
      }
    }
  }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "~"): false
    default: byte.isUnreserved
    }
  }
}

/// Which bytes of a value stand in an address as they are (RFC 6570, 1.5 and 3.2.1).
enum TemplateEncoding {
  static func isReserved(_ byte: UInt8) -> Bool { reserved.contains(byte) }

  /// Appends `text` as UTF-8, every byte as `%XX` that may not stand for itself.
  ///
  /// - Parameter keepingReserved: Whether reserved characters, and what is encoded already, stay as they are.
  static func append(_ text: String, keepingReserved: Bool, to output: inout [UInt8]) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let stays =
        byte.isUnreserved || keepingReserved && (isReserved(byte) || bytes.span.encodedByte(at: index) != nil)
      if stays { output.append(byte) } else { output.appendPercentEncoded(byte) }
    }
  }

  private static let reserved = Set(":/?#[]@!$&'()*+,;=".utf8)
}

/// What stands behind an opening brace, and so how values are joined and encoded.
enum TemplateOperator: UInt8, CaseIterable, Hashable, Sendable {
  case simple = 0
  case reserved = 0x2B
  case fragment = 0x23
  case label = 0x2E
  case path = 0x2F
  case parameter = 0x3B
  case query = 0x3F
  case continuation = 0x26

  /// What stands before the first value and between two, as in RFC 6570's appendix A.
  private var form: (first: String, separator: String, isNamed: Bool, keepsReserved: Bool) {
    switch self {
    case .simple: ("", ",", false, false)
    case .reserved: ("", ",", false, true)
    case .fragment: ("#", ",", false, true)
    case .label: (".", ".", false, false)
    case .path: ("/", "/", false, false)
    case .parameter: (";", ";", true, false)
    case .query: ("?", "&", true, false)
    case .continuation: ("&", "&", true, false)
    }
  }

  /// Appends what stands before a value that is there.
  func appendMark(isFirst: Bool, to output: inout [UInt8]) {
    output.append(contentsOf: (isFirst ? form.first : form.separator).utf8)
  }

  /// Appends one value that is there.
  ///
  /// - Returns: Where it begins.
  @discardableResult
  func append(_ name: String, _ value: String, isFirst: Bool, to output: inout [UInt8]) -> Int {
    appendMark(isFirst: isFirst, to: &output)
    if form.isNamed {
      output.append(contentsOf: name.utf8)
      if !value.isEmpty || self != .parameter { output.append(UInt8(ascii: "=")) }
    }
    let start = output.count
    TemplateEncoding.append(value, keepingReserved: form.keepsReserved, to: &output)
    return start
  }
}

/// Why a text is not an address template, and at which byte.
package struct URITemplateError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case unclosedBrace = "the '{' has no '}'"
    case strayBrace = "a '}' without its '{'"
    case expectedName = "expected a name of letters, digits, '_' and single dots"
    case expectedCommaOrBrace = "expected ',' or '}'"
    case reservedOperator = "the operators = , ! @ and | are reserved for later: use + # . / ; ? & or none"
    case explodeModifier = "'*' behind a name is of level 4, and templates here go up to level 3"
    case prefixModifier = "':' behind a name is of level 4, and templates here go up to level 3"
    case malformedPercent = "'%' must be followed by two hexadecimal digits"
    case forbiddenCharacter = "this character cannot stand in an address: write it as %XX"
    case tooLong = "too long"
  }

  /// The byte of the template at which reading stopped, counted from 0.
  package var offset: Int
  package var reason: Reason

  /// An error about the byte at `offset`.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One line for people, such as `expected ',' or '}' at byte 4`.
  package var message: String { "\(reason.rawValue) at byte \(offset)" }
}
