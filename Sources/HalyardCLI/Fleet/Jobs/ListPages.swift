import JSONQuery

/// Pages of a list up to a limit. A page may be empty, and not the last.
struct ListPages {
  /// Asks for the next page, of so many lines at most; tells whether it is the last.
  typealias Ask = (_ limit: Int) async throws -> (lines: [[UInt8]], isLast: Bool)

  private let ask: Ask
  private let most: Int
  private var left: Int
  private var isLast = false
  /// The limit was reached before the end.
  private(set) var mayHaveMore = false

  /// - Parameter most: Lines of a page.
  init(limit: Int, most: Int, _ ask: @escaping Ask) {
    (left, self.most, self.ask) = (limit, most, ask)
  }

  /// The lines of the next page; nil after the last.
  mutating func next() async throws -> [[UInt8]]? {
    guard !isLast else { return nil }
    // One more than is wanted tells whether there are more.
    let page = try await ask(min(most, left + 1))
    try Task.checkCancellation()
    mayHaveMore = page.lines.count > left
    isLast = page.isLast || mayHaveMore
    defer { left -= min(left, page.lines.count) }
    return Array(page.lines.prefix(left))
  }

  /// Prints what is left: JSON as it comes, or a table at the end.
  mutating func show(
    _ arguments: ParsedArguments, _ things: String, in table: ([JSONValue]) -> [String]
  ) async throws -> ExitCode {
    var values: [JSONValue] = []
    while let lines = try await next() {
      for line in lines {
        if arguments[FleetOption.json] {
          try DescriptorSink(.json).write(line + [UInt8(ascii: "\n")])
        } else {
          values.append(try JSONDocument(parsing: line).root)
        }
      }
    }
    // JSON is printed already.
    try arguments.show(json: [], lines: table(values))
    if mayHaveMore { Message.show("halyard: there are more \(things); show them with a larger --limit\n") }
    return .ok
  }
}
