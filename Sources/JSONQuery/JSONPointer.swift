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

/// Why a text is not a JSON pointer.
public struct JSONPointerError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case missingSlash = "it must be empty or start with '/'"
    case malformedTilde = "'~' must be followed by 0 or 1"
    case malformedPercent = "'%' must be followed by two hexadecimal digits, and the result must be UTF-8"
  }

  /// What is wrong with the text.
  public var reason: Reason
  /// The text as it was given.
  public var text: String

  public init(_ reason: Reason, in text: String) {
    self.reason = reason
    self.text = text
  }

  /// One line for people.
  public var message: String { "'\(text)' is not a JSON pointer: \(reason.rawValue)" }
}

/// The first part of a pointer that a document does not have.
public struct JSONPointerMiss: Error, Hashable, Sendable {
  /// Why the token leads nowhere.
  public enum Reason: Hashable, Sendable {
    case noMember
    case noElement(count: Int)
    case notAnIndex
    case notAContainer(JSONKind)
  }

  /// What the pointer could still reach.
  public var reached: JSONPointer
  /// The token that led nowhere from there.
  public var token: String
  /// Why it led nowhere.
  public var reason: Reason

  /// One line for people, such as `/data has no element 7, only 3`.
  public var message: String {
    let place = reached.tokens.isEmpty ? "the document" : reached.text
    return switch reason {
    case .noMember: "\(place) has no member '\(token)'"
    case .noElement(let count): "\(place) has no element \(token), only \(count)"
    case .notAnIndex: "\(place) is an array and '\(token)' is not an index"
    case .notAContainer(let kind): "\(place) is of kind \(kind), so it has no '\(token)'"
    }
  }
}

extension JSONPointer {
  /// The value the pointer leads to, or nil.
  public func select(in value: JSONValue) -> JSONValue? {
    try? resolve(in: value)
  }

  /// The value the pointer leads to; the error tells which part is missing.
  public func resolve(in value: JSONValue) throws(JSONPointerMiss) -> JSONValue {
    var current = value
    for (depth, token) in tokens.enumerated() {
      let reason: JSONPointerMiss.Reason
      switch current.kind {
      case .object:
        if let member = current[token] {
          current = member
          continue
        }
        reason = .noMember
      case .array:
        let index = arrayIndex(token)
        if let index, let element = current.element(at: index) {
          current = element
          continue
        }
        reason = index == nil ? .notAnIndex : .noElement(count: current.count)
      case .string, .number, .bool, .null:
        reason = .notAContainer(current.kind)
      }
      throw JSONPointerMiss(
        reached: JSONPointer(tokens: tokens.prefix(depth)), token: token, reason: reason)
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
        throw .path(error, in: text)
      }
    } else {
      do {
        self = .pointer(try JSONPointer(text))
      } catch {
        throw .pointer(error)
      }
    }
  }
}

/// Why a text is neither a JSON Pointer nor a JSONPath query.
public enum JSONSelectorError: Error, Hashable, Sendable {
  case pointer(JSONPointerError)
  case path(JSONPathError, in: String)

  /// What it is not, and why.
  public var reason: String {
    switch self {
    case .pointer(let error) where error.reason == .missingSlash:
      "neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
    case .pointer(let error): "not a JSON Pointer: \(error.reason.rawValue)"
    case .path(let error, _): "not a JSONPath query: \(error.message)"
    }
  }

  /// One line for people.
  public var message: String {
    switch self {
    case .pointer(let error): "'\(error.text)' is \(reason)"
    case .path(_, let text): "'\(text)' is \(reason)"
    }
  }
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
    case .pointer(let pointer):
      do {
        return .one(try pointer.resolve(in: root))
      } catch {
        throw .nothing(error.message)
      }
    case .path(let path):
      let found: [JSONValue]
      do {
        found = try path.select(in: root)
      } catch {
        throw .tooMuch(error.message)
      }
      guard path.isSingular else { return .many(found) }
      guard let only = found.first else { throw .nothing("the query finds nothing") }
      return .one(only)
    }
  }
}

/// Why nothing was selected.
public enum JSONFindingError: Error, Hashable, Sendable {
  case nothing(_ why: String)
  /// It took too long to find out.
  case tooMuch(_ why: String)
}
