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
