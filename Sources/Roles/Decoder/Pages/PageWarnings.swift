import JSONQuery
import Pages

/// What is odd about a page without being a failure, as the row's `warnings`.
enum PageWarnings {
  static func write(_ warnings: [PageWarning], into row: inout JSONWriter) {
    guard !warnings.isEmpty else { return }
    row.beginArray("warnings")
    for warning in warnings { row.string(warning.message) }
    row.endArray()
  }
}
