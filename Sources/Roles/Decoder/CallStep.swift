import JSONQuery
import Pipeline
import Recipes

/// The answer to a recipe's call: what the recipe takes of it, and the way to the next page.
enum CallStep {
  /// Writes the members `value` and `next`; nothing of them when it fails.
  static func read(
    _ root: JSONValue, of document: Document, as reading: String, into row: inout JSONWriter
  ) throws(Failure) {
    let answer: CallAnswer
    do {
      let response = CallResponse(root, from: document.url, links: document.note?.links ?? [])
      answer = try CallReading(reading).answer(from: response)
    } catch {
      throw Failure(error)
    }
    row.key("value")
    row.value(answer.value)
    switch answer.next {
    case .none: return
    case .address(let url):
      row.member("next", url)
    case .pages(let count):
      row.member("next", count)
    }
  }
}

extension CallAnswer {
  /// What such a row says; nil when it is none.
  init?(row: [UInt8]) {
    guard let root = try? JSONDocument(parsing: row, limits: .around).root, let value = root["value"] else {
      return nil
    }
    self.init(value)
    if let address = root["next"]?.string { next = .address(address) }
    if let pages = root["next"]?.int64 { next = .pages(pages) }
  }
}

extension RecipeFailure {
  /// What the row of a call that failed says.
  init(row: [UInt8], _ kind: FailureKind) {
    let error = (try? JSONDocument(parsing: row, limits: .around).root)?["error"]
    self.init(
      kind: kind.rawValue, at: error?["stage"]?.string ?? "json",
      error?["message"]?.string ?? "the call failed")
  }
}

extension Failure {
  init(_ failure: RecipeFailure) {
    self.init(
      FailureKind(rawValue: failure.kind) ?? .underlying, at: Stage(rawValue: failure.stage) ?? .json,
      failure.message)
  }
}
