import JSONQuery

/// What is odd about a document without being a failure, as the row's `warnings`.
enum DataWarnings {
  /// More of a kind are not told.
  private static let most = 8
  private static let longestName = 100

  static func write(of document: JSONDocument, into row: inout JSONWriter) {
    row.member("warnings", skipped(document) + repeated(document))
  }

  private static func skipped(_ document: JSONDocument) -> [String] {
    let told = document.skipped.prefix(most).map { "passed over \($0.message)" }
    let others = document.skipped.count - told.count
    return others > 0 ? told + ["passed over \(others) more texts"] : told
  }

  private static func repeated(_ document: JSONDocument) -> [String] {
    document.duplicateKeys(atMost: most).map { key in
      let name = String((key.string ?? "").prefix(longestName))
      return
        "the member '\(name)' at byte \(document.sentOffset(of: key)) is there before; the last one counts"
    }
  }
}
