import JSONQuery
import Pipeline
import Roles

extension ExplanationReport {
  var text: String {
    get throws { try shownLines.joined(separator: "\n") + "\n" }
  }

  /// A paragraph for each exchange, and what came of them; all of it made harmless for terminals.
  var shownLines: [String] {
    get throws {
      var lines: [String] = []
      for (index, step) in explanation.steps.enumerated() {
        lines += Self.lines(of: step, number: index + 1)
        if let note = note(after: index) { lines.append("   \(note)") }
        lines.append("")
      }
      lines += try outcome()
      return lines.map { Printable.text($0) }
    }
  }

  private static func lines(of step: Explanation.Step, number: Int) -> [String] {
    var lines = ["\(number)  \(step.method.rawValue) \(step.url)"]
    if let permit = step.permit { lines.append("   robots.txt: \(permit)") }
    if !step.sent.isEmpty { lines.append("   with \(step.sent.joined(separator: ", "))") }
    if let response = step.response {
      let phases = phases(of: response.timings).map { "\(shown($0.name)) \(milliseconds($0.microseconds))" }
      let address = response.remoteAddress.map { " from \($0)" } ?? ""
      let times = phases.isEmpty ? "" : " = \(phases.joined(separator: " + "))"
      let version = response.version.map { "\($0.rawValue) " } ?? ""
      let security = step.isOverTLS ? " over TLS" : ""
      lines.append(
        "   \(version)\(response.status)\(security)\(address) in \(milliseconds(response.timings.total)) ms\(times)"
      )
      lines += telling(response).map { "   \($0.name): \($0.value)" }
    }
    return lines + ["   → \(step.rule.sentence(after: step.response))"]
  }

  private static func shown(_ phase: String) -> String {
    phase == "first_byte" ? "first byte" : phase
  }

  private static func milliseconds(_ microseconds: Int64) -> String {
    "\(microseconds / 1_000).\(microseconds % 1_000 / 100)"
  }

  /// What changes between two exchanges besides the address.
  private func note(after index: Int) -> String? {
    let step = explanation.steps[index]
    guard !step.isForRobots, let next = explanation.steps[(index + 1)...].first(where: { !$0.isForRobots })
    else { return nil }
    if next.isForEmbed, !step.isForEmbed {
      let kept = step.sent.joined(separator: ", ")
      return kept.isEmpty ? nil : "  nothing that was for the page goes along: \(kept)"
    }
    let dropped = step.sent.filter { !next.sent.contains($0) && $0 != "Cookie" }
    if !dropped.isEmpty { return "  another origin: \(dropped.joined(separator: ", ")) is dropped, for good" }
    if case .goesOn = step.rule, step.method == .head, next.method == .get {
      return "  303 and refreshes turn into GET"
    }
    return nil
  }

  private func outcome() throws -> [String] {
    let row = try JSONDocument(parsing: explanation.row, limits: .around).root
    if let failure = explanation.failure {
      let isTold = if case .failed(failure) = explanation.steps.last?.rule { true } else { false }
      return ["failed: \(failure.kind.rawValue)"] + (isTold ? [] : ["   \(failure.message)"]) + embed(in: row)
    }
    var lines = ["ok: \(row["url"]?.string ?? "")"]
    if let title = row["title"]?.string {
      lines.append("   title: \(title) (from \(row["title_source"]?.string ?? "title"))")
    }
    return lines + card(in: row) + embed(in: row)
  }

  /// What a link preview would show besides the title.
  private func card(in row: JSONValue) -> [String] {
    guard let card = row["card"] else { return [] }
    return ["description", "image", "site_name", "author", "published", "canonical"].compactMap { name in
      guard let text = card[name]?.string else { return nil }
      let source = card["sources"]?[name]?.string.map { " (from \($0))" } ?? ""
      return "   \(name): \(text)\(source)"
    }
  }

  /// What came of the oEmbed endpoint, where it was wanted.
  private func embed(in row: JSONValue) -> [String] {
    guard explanation.wantsEmbed, let card = row["card"] else { return [] }
    if let fault = card["embed_error"] {
      return ["   oembed: \(fault["kind"]?.string ?? ""): \(fault["message"]?.string ?? "")"]
    }
    guard let embed = card["embed"] else {
      return card["oembed"] == nil
        ? ["   oembed: the page names no endpoint, and no provider is known for it"] : []
    }
    var said: [String] = []
    for name in ["type", "title", "author_name", "provider_name"] {
      if let text = embed[name]?.string { said.append("\(name) \(text)") }
    }
    let filled = (card["sources"]?.members.map { $0 } ?? []).filter {
      $0.value.string == "oembed" && $0.key != "embed"
    }.map(\.key)
    let fills = filled.isEmpty ? "" : "; it fills \(filled.joined(separator: ", "))"
    return ["   oembed: \(said.joined(separator: ", "))\(fills)"]
  }
}
