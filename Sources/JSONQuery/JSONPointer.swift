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
    guard first == UInt8(ascii: "/") else { throw .missingSlash }
    var tokens: [String] = []
    for token in plain.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let unescaped = unescape(token) else { throw .malformedTilde }
      tokens.append(unescaped)
    }
    self.tokens = tokens
  }

  init(tokens: [String]) { self.tokens = tokens }

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
    else { throw .malformedPercent }
    output.append(high << 4 | low)
    at += 3
  }
  guard String(validating: output, as: UTF8.self) != nil else { throw .malformedPercent }
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

/// Why a text is not a JSON pointer; the raw value is its wording in messages.
public enum JSONPointerError: String, Error {
  case missingSlash = "it must be empty or start with '/'"
  case malformedTilde = "'~' must be followed by 0 or 1"
  case malformedPercent = "'%' must be followed by two hexadecimal digits, and the result must be UTF-8"
}

extension JSONPointer {
  /// The value the pointer leads to; the error tells the first part that is missing.
  public func resolve(in value: JSONValue) throws(JSONFindingError) -> JSONValue {
    var current = value
    for (depth, token) in tokens.enumerated() {
      var place: String { depth == 0 ? "the document" : JSONPointer(tokens: Array(tokens[..<depth])).text }
      switch current.kind {
      case .object:
        guard let member = current[token] else { throw .mismatch("\(place) has no member '\(token)'") }
        current = member
      case .array:
        guard let index = arrayIndex(token) else {
          throw .mismatch("\(place) is an array and '\(token)' is not an index")
        }
        guard let element = current.element(at: index) else {
          throw .mismatch("\(place) has no element \(token), only \(current.count)")
        }
        current = element
      case .string, .number, .bool, .null:
        throw .mismatch("\(place) is of kind \(current.kind), so it has no '\(token)'")
      }
    }
    return current
  }
}

/// An array index: digits without a leading zero; `-`, the place behind the last element, never names a value.
private func arrayIndex(_ token: String) -> Int? {
  let digits = token.utf8
  guard digits.allSatisfy(isDigit), digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
  // An index too large for Int is still an index, one that no array has.
  return Int(token) ?? (digits.isEmpty ? nil : Int.max)
}

extension JSONValue {
  /// The pointer that leads from the document's root to this value.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    var parent = 0
    while parent != index {
      let isObject = tape.nodes[parent].kind == .object
      var child = parent + 1
      var position = 0
      // An object's children stand in pairs: the name, then the value whose subtree may hold this one.
      var value = isObject ? child + 1 : child
      while tape.nodes[value].next <= index {
        child = Int(tape.nodes[value].next)
        position += 1
        value = isObject ? child + 1 : child
      }
      tokens.append(isObject ? tape.decodedString(tape.nodes[child]) : String(position))
      parent = value
    }
    return JSONPointer(tokens: tokens)
  }
}

/// What to select from a document: a JSON Pointer (RFC 6901) or, when it starts with `$`, a JSONPath query (RFC 9535).
public enum JSONSelector: Hashable, Sendable {
  case pointer(JSONPointer)
  case path(JSONPath)

  /// Reads a selection as text; nothing of a document is needed to know whether it is sound.
  public init(_ text: String) throws(JSONSelectorError) {
    if text.utf8.first == UInt8(ascii: "$") {
      do {
        self = .path(try JSONPath(text))
      } catch {
        throw JSONSelectorError(
          text: text, reason: "not a JSONPath query: \(error.message)", offset: error.offset)
      }
    } else {
      do {
        self = .pointer(try JSONPointer(text))
      } catch {
        let reason =
          error == .missingSlash
          ? "neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
          : "not a JSON Pointer: \(error.rawValue)"
        throw JSONSelectorError(text: text, reason: reason, offset: 0)
      }
    }
  }
}

/// Why a text is neither a JSON Pointer nor a JSONPath query.
public struct JSONSelectorError: Error {
  let text: String
  /// What it is not, and why.
  public let reason: String
  /// The byte of the text at which reading a query stopped; 0 for what is none.
  public let offset: Int

  /// One line for people.
  public var message: String { "'\(text)' is \(reason)" }
}

extension JSONSelector {
  /// What there is in a document.
  public enum Found: Sendable {
    /// The value that a pointer, or a query of names and indexes, stands for.
    case one(JSONValue)
    /// All that any other query finds, in its order, perhaps nothing.
    case many([JSONValue])

    /// One or many.
    public var values: [JSONValue] {
      switch self {
      case .one(let value): [value]
      case .many(let values): values
      }
    }
  }

  /// Looks for what is selected; what can be one value only must be there.
  public func find(in root: JSONValue) throws(JSONFindingError) -> Found {
    switch self {
    case .pointer(let pointer): return .one(try pointer.resolve(in: root))
    case .path(let path):
      let found: [JSONValue]
      do {
        found = try path.select(in: root)
      } catch {
        throw .tooMuch(error.message)
      }
      guard path.isSingular else { return .many(found) }
      guard let only = found.first else { throw .mismatch(JSONFindingError.nothing) }
      return .one(only)
    }
  }
}

/// Why a document does not have what it was asked for.
public enum JSONFindingError: Error, Hashable, Sendable {
  /// It is not there, or not as it must be.
  case mismatch(_ why: String)
  /// It took too long to find out.
  case tooMuch(_ why: String)

  /// One line for people.
  public var message: String {
    switch self {
    case .mismatch(let why), .tooMuch(let why): why
    }
  }

  static let nothing = "the query finds nothing"
}
