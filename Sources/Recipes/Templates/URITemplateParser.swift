import Links

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
