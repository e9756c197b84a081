extension TableColumn {
  /// Members whose values have a length that is known.
  private static let knownWidths = [
    "id": 36, "batch": 36, "ref": 12, "ordinal": 7, "kind": 6, "status": 9, "http_status": 4, "charset": 12,
    "title_source": 8, "error.kind": 20, "error.stage": 10, "error.retryable": 5, "attempts": 3, "ms": 6,
    "schema": 16, "content_type": 16,
  ]

  /// What the result column of the default table stands for.
  private static let partsOfResult: Set<String> = ["status", "http_status", "error.kind"]

  init(_ column: RowColumn) {
    heading = Printable.text(column.heading.uppercased())
    content = .member(column.field)
    let headingWidth = DisplayWidth.of(heading)
    fixedWidth = Self.knownWidths[column.field.name].map { max($0, headingWidth) }
  }

  /// The default table: the result first, then the columns that are not part of it.
  static func defaults(for columns: [RowColumn], width: Int) -> [TableColumn] {
    let result = TableColumn(heading: "RESULT", content: .result, fixedWidth: width < 100 ? 15 : 20)
    return [result]
      + columns.filter { !partsOfResult.contains($0.field.name) }.map { TableColumn($0) }
  }
}
