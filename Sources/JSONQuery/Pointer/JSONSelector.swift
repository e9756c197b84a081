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
