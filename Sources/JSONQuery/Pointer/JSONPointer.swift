/// A path to one value of a document (RFC 6901), such as `/data/0/email` or, as a URI fragment, `#/a%20b`.
public struct JSONPointer: Hashable, Sendable {
  /// The unescaped reference tokens, outermost first.
  public let tokens: [String]

  /// Reads a pointer as text; one that starts with `#` is read as a URI fragment.
  public init(_ text: String) throws(JSONPointerError) {
    let plain = text.utf8.first == UInt8(ascii: "#") ? try decodePercents(text) : Array(text.utf8)
    guard let first = plain.first else {
      tokens = []
      return
    }
    guard first == UInt8(ascii: "/") else { throw JSONPointerError(.missingSlash, in: text) }
    var tokens: [String] = []
    for token in plain.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let unescaped = unescape(token) else { throw JSONPointerError(.malformedTilde, in: text) }
      tokens.append(unescaped)
    }
    self.tokens = tokens
  }

  init(tokens: some Sequence<String>) { self.tokens = Array(tokens) }

  /// The pointer in its plain form; the root is the empty text.
  public var text: String {
    tokens.reduce(into: "") { text, token in
      text += "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

/// The bytes of a URI fragment behind its `#`.
private func decodePercents(_ text: String) throws(JSONPointerError) -> [UInt8] {
  let fragment = Array(text.utf8.dropFirst())
  var output: [UInt8] = []
  var at = 0
  while at < fragment.count {
    guard fragment[at] == UInt8(ascii: "%") else {
      output.append(fragment[at])
      at += 1
      continue
    }
    guard at + 2 < fragment.count, let high = hexDigit(fragment[at + 1]), let low = hexDigit(fragment[at + 2])
    else { throw JSONPointerError(.malformedPercent, in: text) }
    output.append(high << 4 | low)
    at += 3
  }
  guard String(validating: output, as: UTF8.self) != nil else {
    throw JSONPointerError(.malformedPercent, in: text)
  }
  return output
}

/// A reference token with `~1` as `/` and `~0` as `~`; nil for any other tilde.
private func unescape(_ token: ArraySlice<UInt8>) -> String? {
  var output: [UInt8] = []
  output.reserveCapacity(token.count)
  var bytes = token.makeIterator()
  while let byte = bytes.next() {
    guard byte == UInt8(ascii: "~") else {
      output.append(byte)
      continue
    }
    switch bytes.next() {
    case UInt8(ascii: "0"): output.append(UInt8(ascii: "~"))
    case UInt8(ascii: "1"): output.append(UInt8(ascii: "/"))
    default: return nil
    }
  }
  return String(decoding: output, as: UTF8.self)
}
