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
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
      throw JSONRequirementError(noTypeIn: text)
    }
    var words = text[text.utf8.index(after: colon)...]
    isOptional = words.hasSuffix("?")
    if isOptional { words.removeLast() }
    var types: [JSONType] = []
    for word in words.split(separator: "|", omittingEmptySubsequences: false) {
      guard let type = JSONType(rawValue: String(word)) else { throw JSONRequirementError(noTypeIn: text) }
      types.append(type)
    }
    self.types = types
    do {
      selector = try JSONSelector(String(text[..<colon]))
    } catch {
      throw JSONRequirementError(message: error.message, offset: error.offset)
    }
  }

  /// Fails with the first thing that is not as it must be, such as `expected integer at /data/0/id, found string "x"`.
  public func check(_ root: JSONValue) throws(JSONFindingError) {
    let found: [JSONValue]
    do {
      found = try selector.find(in: root).values
    } catch {
      switch error {
      case .mismatch where isOptional: return
      case .mismatch(let why): throw missing(why)
      case .tooMuch: throw error
      }
    }
    guard !found.isEmpty || isOptional else { throw missing(JSONFindingError.nothing) }
    for value in found where !types.contains(where: { $0.fits(value) }) {
      let place = value.pointer.tokens.isEmpty ? "the root" : value.pointer.text
      throw .mismatch("expected \(expected) at \(place), found \(value.brief)")
    }
  }

  private func missing(_ why: String) -> JSONFindingError {
    .mismatch("expected \(expected), and there is none: \(why)")
  }

  private var expected: String { types.map(\.rawValue).joined(separator: " or ") }
}

/// Why a text is no requirement.
public struct JSONRequirementError: Error {
  /// One line for people.
  public let message: String
  /// The byte of the text at which reading its query stopped; 0 for what is none.
  public let offset: Int
}

extension JSONRequirementError {
  fileprivate init(noTypeIn text: String) {
    let names = JSONType.allCases.map(\.rawValue)
    let types = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
    message = "'\(text)' does not end in a type: write PATH:TYPE, where TYPE is \(types)"
    offset = 0
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
