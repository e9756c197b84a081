/// A value while the document is being read, when tables can still grow.
final class TOMLNode {
  /// How a table came to be, which decides what may still be added to it.
  enum Origin {
    /// By a header of a table below it; one of its own may follow.
    case passedThrough
    case header
    case dottedKey
    /// Nothing may be added.
    case inline
  }

  enum Content {
    case value(TOMLValue.Content)
    case table(Origin)
  }

  var content: Content
  let position: TOMLPosition
  private(set) var members: [(key: String, position: TOMLPosition, node: TOMLNode)] = []
  private var indexes: [String: Int] = [:]

  init(_ content: Content, at position: TOMLPosition) {
    self.content = content
    self.position = position
  }

  subscript(key: String) -> TOMLNode? {
    indexes[key].map { members[$0].node }
  }

  func add(_ node: TOMLNode, as key: String, at position: TOMLPosition) {
    indexes[key] = members.count
    members.append((key, position, node))
  }

  /// The table that a header's path leads into; nil for what no header can lead into.
  var entered: TOMLNode? {
    switch content {
    case .table(.inline), .value: nil
    case .table: self
    }
  }

  var value: TOMLValue {
    let found: TOMLValue.Content =
      switch content {
      case .value(let value): value
      case .table: .table(table)
      }
    return TOMLValue(content: found, position: position)
  }

  var table: TOMLTable {
    TOMLTable(members: members.map { .init(key: $0.key, position: $0.position, value: $0.node.value) })
  }
}
