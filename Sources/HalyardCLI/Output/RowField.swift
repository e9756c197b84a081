internal import JSONQuery
import Pages

/// A member of a row, named by its dotted path.
struct RowField: Hashable, Sendable {
  /// The members a row can have; `kept` has more, which the user names, and `steps` has what a recipe names.
  static let members: [String] = [
    [
      "schema", "id", "ref", "batch", "ordinal", "kind", "input", "status", "url", "http_status",
      "content_type", "truncated", "charset", "hops", "fetched_at",
    ],
    ["length", "file_name"], object("refresh", ["seconds", "url"]), ["title", "title_source"],
    cardFields.map { "card.\($0)" }, object("card.embed", embedFields),
    object("card.sources", CardField.allCases.map(\.rawValue)),
    object("card.embed_error", ["kind", "message"]), ["card", "value"],
    ["warnings", "steps"], object("trace", ["aggregator", "fetcher", "decoder"]),
    object("error", ["kind", "stage", "message", "retryable", "given_up", "refused_address"]),
    ["attempts", "ms"],
    ["cached", "age", "revalidated", "kept"], object("origin", ["file", "line", "column", "text"]),
  ].flatMap { $0 }

  private static let cardFields = CardField.allCases.map(\.rawValue).filter { $0 != "embed" }
  private static let embedFields = EmbedField.allCases.map(\.rawValue)

  private static func object(_ name: String, _ members: [String]) -> [String] {
    members.map { "\(name).\($0)" } + [name]
  }

  /// Members whose own members and elements the document behind a link names, or which are lists.
  private static let open: Set = ["value", "hops", "steps", "warnings"]

  /// Whether rows can have a member of that name, such as `value.items.0.name`.
  static func canExist(_ name: String) -> Bool {
    if members.contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, !parts.contains("") else { return false }
    // Of cards only lists have further parts.
    if first == "card" { return parts.count > 2 && members.contains(parts.prefix(2).joined(separator: ".")) }
    return open.contains(String(first))
  }

  private static let keptPrefix = "kept."

  /// As the user writes it, and as headings show it.
  let name: String
  let path: [String]

  /// Takes the name as it is; unknown ones are simply absent from every row.
  init(_ name: String) {
    self.name = name
    path =
      if let column = Self.keptColumn(name) {
        ["kept", column]
      } else {
        name.split(separator: ".").map(String.init)
      }
  }

  /// The column behind `kept.`, which may contain dots itself.
  static func keptColumn(_ name: String) -> String? {
    name.hasPrefix(keptPrefix) ? String(name.dropFirst(keptPrefix.count)) : nil
  }

  /// The member's value; nil when the row lacks it, or has null there.
  func value(in row: JSONValue) -> JSONValue? {
    var value = row
    for name in path {
      guard let member = value[name] ?? Self.element(named: name, of: value) else { return nil }
      value = member
    }
    return value.isNull ? nil : value
  }

  private static func element(named name: String, of value: JSONValue) -> JSONValue? {
    guard value.kind == .array, let index = Int(name), index >= 0 else { return nil }
    return value.elements.dropFirst(index).first { _ in true }
  }

  /// The member as text for a cell: strings bare, numbers as written, the rest as compact JSON; empty when absent.
  func text(in row: JSONValue) -> String {
    guard let value = value(in: row) else { return "" }
    return value.string ?? value.minified
  }
}
