/// What a document must hold for ``HalyardClient/decode(_:from:select:require:by:options:)``.
///
/// ```swift
/// let user = client.decode(User.self, from: link, require: [Requirement("/id", .integer), Requirement("$..name", .string, .null)])
/// ```
public struct Requirement: Hashable, Sendable {
  /// A type of JSON.
  public enum ValueType: String, CaseIterable, Sendable {
    case string
    /// Any number, also a whole one.
    case number
    /// A whole number.
    case integer
    case boolean
    case object
    case array
    case null
    /// Whatever is there.
    case any
  }

  /// A JSON Pointer or a JSONPath query; all that it finds must be of one of the types.
  public var path: String
  /// The types that what is found may have.
  public var types: [ValueType]
  /// Whether nothing needs to be there.
  public var isOptional: Bool

  /// - Parameters:
  ///   - path: A JSON Pointer or a JSONPath query.
  ///   - types: At least one.
  ///   - isOptional: Whether nothing needs to be there.
  public init(_ path: String, _ types: ValueType..., isOptional: Bool = false) {
    precondition(!types.isEmpty, "the requirement for \(path) names no type")
    (self.path, self.types, self.isOptional) = (path, types, isOptional)
  }

  /// As `--require` has it.
  var text: String {
    "\(path):\(types.map(\.rawValue).joined(separator: "|"))\(isOptional ? "?" : "")"
  }
}
