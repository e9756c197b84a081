/// What a document must hold: `/data/0/id:integer`, or `$.items[*].name:string|null?`.
///
/// The selector must find something, and all that it finds must be of one of the types. With a `?` at the end it may find
/// nothing.
public struct JSONRequirement: Hashable, Sendable {
  private let selector: JSONSelector
  private let types: [JSONType]
  private let isOptional: Bool

  /// Reads a requirement as text; the types stand behind its last colon.
  public init(_ text: String) throws(JSONRequirementError) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw .noType(text) }
    var words = text[text.utf8.index(after: colon)...]
    isOptional = words.hasSuffix("?")
    if isOptional { words.removeLast() }
    var types: [JSONType] = []
    for word in words.split(separator: "|", omittingEmptySubsequences: false) {
      guard let type = JSONType(rawValue: String(word)) else { throw .noType(text) }
      types.append(type)
    }
    self.types = types
    do {
      selector = try JSONSelector(String(text[..<colon]))
    } catch {
      throw .noSelector(error)
    }
  }

  /// Fails with the first thing that is not as it must be.
  public func check(_ root: JSONValue) throws(JSONRequirementFailure) {
    let found: [JSONValue]
    do {
      found = try selector.find(in: root).values
    } catch {
      switch error {
      case .nothing where isOptional: return
      case .nothing(let why): throw .missing(expected, why)
      case .tooMuch(let why): throw .tooMuch(why)
      }
    }
    guard !found.isEmpty || isOptional else { throw .missing(expected, "the query finds nothing") }
    try check(found)
  }

  private func check(_ values: [JSONValue]) throws(JSONRequirementFailure) {
    for value in values where !types.contains(where: { $0.fits(value) }) {
      throw .otherType(expected, at: value.pointer, found: value.brief)
    }
  }

  private var expected: String { types.map(\.rawValue).joined(separator: " or ") }
}

/// Why a text is no requirement.
public enum JSONRequirementError: Error, Hashable, Sendable {
  case noType(String)
  case noSelector(JSONSelectorError)

  /// One line for people.
  public var message: String {
    switch self {
    case .noType(let text):
      "'\(text)' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"
    case .noSelector(let error): error.message
    }
  }

  private static var types: String {
    let names = JSONType.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }
}

/// How a document is not what it must be.
public enum JSONRequirementFailure: Error, Hashable, Sendable {
  case missing(_ expected: String, _ why: String)
  case otherType(_ expected: String, at: JSONPointer, found: String)
  /// It took too long to find out.
  case tooMuch(String)

  /// One line for people, such as `expected integer at /data/0/id, found string "x"`.
  public var message: String {
    switch self {
    case .missing(let expected, let why): "expected \(expected), and there is none: \(why)"
    case .otherType(let expected, let pointer, let found):
      "expected \(expected) at \(pointer.tokens.isEmpty ? "the root" : pointer.text), found \(found)"
    case .tooMuch(let why): why
    }
  }
}

extension JSONValue {
  /// The kind, and the value when it is short.
  public var brief: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: node.range.count <= Self.longestBrief ? "the string \(minified)" : "a string"
    case .number: node.range.count <= Self.longestBrief ? "the number \(minified)" : "a number"
    case .bool: minified
    case .null: "null"
    }
  }

  private static let longestBrief = 60
}

/// What a value can be asked to be.
public enum JSONType: String, CaseIterable, Hashable, Sendable {
  case object
  case array
  case string
  case number
  /// A number without a fraction, however it is written: 7, 7.0 and 70e-1.
  case integer
  case boolean
  case null
  case any

  func fits(_ value: JSONValue) -> Bool {
    switch self {
    case .object: value.kind == .object
    case .array: value.kind == .array
    case .string: value.kind == .string
    case .number: value.kind == .number
    case .integer:
      value.kind == .number && ExactNumber(checked: value.tape.source[value.node.range]).isWhole
    case .boolean: value.kind == .bool
    case .null: value.kind == .null
    case .any: true
    }
  }
}
