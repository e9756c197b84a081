import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `explain`: one link, and every rule that fired on its way.
enum ExplainCommand {
  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let explanation = try await Explanation.made(
      of: arguments.operands[0], LinkOption.reading(arguments), PipelineOptions(arguments))
    try Task.checkCancellation()
    try arguments.show(json: explanation.json, text: explanation.text)
    return explanation.failure == nil ? .ok : .someFailed
  }
}

/// An explanation as people and programs read it.
extension Explanation {
  /// Fetches a link here and now.
  ///
  /// - Parameters:
  ///   - milliseconds: For all of it; nil for no limit beside that of each request.
  ///   - wrapped: Puts something between the walk and the network.
  static func made(
    of link: String, _ reading: Reading, _ settings: PipelineOptions, within milliseconds: Int64? = nil,
    wrapped: @Sendable ([any Fetching]) -> [any Fetching] = { $0 }
  ) async throws -> Explanation {
    let clock = SystemClock()
    var job = Job(batch: BatchID(.random(at: clock.now)), ordinal: 0, kind: .title, input: link)
    job.reading = reading
    job.deadline = milliseconds.map { clock.now.advanced(byMilliseconds: $0) }
    return try await withFetching(settings.network(clock)) { [job] fetching, _ in
      let explainer = LinkExplainer(
        fetching: wrapped(fetching)[0], clock: clock, settings: settings.roles.fetcher)
      return await explainer.explain(job)
    }
  }

  /// Headers that decide something. The values of cookies are secret.
  static func telling(_ response: FetchResponse) -> [HeaderField] {
    let names: Set = ["location", "refresh", "content-type", "content-encoding", "retry-after", "server"]
    return response.headers.compactMap { header in
      let name = header.name.lowercased()
      if name == "set-cookie" {
        return HeaderField(header.name, header.value.prefix { $0 != "=" && $0 != ";" } + "=…")
      }
      return names.contains(name) ? header : nil
    }
  }

  /// The phases that took place, each with its own microseconds.
  static func phases(of timings: FetchTimings) -> [(name: String, microseconds: Int64)] {
    var before: Int64 = 0
    var phases: [(name: String, microseconds: Int64)] = []
    for (name, end) in [
      ("dns", timings.nameLookup), ("connect", timings.connect), ("tls", timings.tls),
      ("first_byte", timings.firstByte), ("body", timings.total),
    ] where end > before {
      phases.append((name, end - before))
      before = end
    }
    return phases
  }

  var json: [UInt8] {
    JSONWriter.line { line in
      line.member("schema", "halyard.explain/1")
      line.objects("steps", of: steps) { Self.write($1, to: &$0) }
      line.key("row")
      line.raw(row)
    }
  }

  private static func write(_ step: Explanation.Step, to line: inout JSONWriter) {
    line.member("method", step.method.rawValue)
    line.member("url", step.url)
    line.beginArray("sent")
    for name in step.sent { line.string(name) }
    line.endArray()
    if let response = step.response { write(response, isOverTLS: step.isOverTLS, to: &line) }
    if step.isForRobots {
      line.member("for", "robots.txt")
    } else if step.isForEmbed {
      line.member("for", "oembed")
    }
    line.member("robots", step.permit)
    line.member("rule", step.rule.name)
    line.member("because", step.rule.sentence(after: step.response))
  }

  private static func write(_ response: FetchResponse, isOverTLS: Bool, to line: inout JSONWriter) {
    line.member("status", response.status)
    line.member("version", response.version?.rawValue)
    line.member("tls", isOverTLS)
    line.member("new_connection", response.isOnNewConnection)
    line.member("address", response.remoteAddress)
    line.beginArray("headers")
    for header in telling(response) {
      line.beginArray()
      line.string(header.name)
      line.string(header.value)
      line.endArray()
    }
    line.endArray()
    line.beginObject("us")
    for phase in phases(of: response.timings) {
      line.member(phase.name, phase.microseconds)
    }
    line.member("total", response.timings.total)
    line.endObject()
  }
}

extension Explanation.Step {
  var isOverTLS: Bool { url.hasPrefix("https:") }
}

extension Explanation.Rule {
  var name: String {
    switch self {
    case .goesOn(_, let via): via.rawValue
    case .asksAgainWithGet: "asks_again_with_get"
    case .arrived(nil): "arrived"
    case .asksEndpoint: "oembed"
    case .arrived: "refresh_too_late"
    case .failed(let failure): failure.kind.rawValue
    case .robots: "robots_txt"
    }
  }

  /// Why, in one line.
  func sentence(after response: FetchResponse?) -> String {
    let status = response.map { "\($0.status)" } ?? ""
    return switch self {
    case .goesOn(let url, .location): "\(status) with a Location: goes on to \(url)"
    case .goesOn(let url, .refreshHeader): "the Refresh header is no longer than 10 s: goes on to \(url)"
    case .goesOn(let url, .metaRefresh): "the page asks for a refresh within 10 s: goes on to \(url)"
    case .asksAgainWithGet: "HEAD is refused: asks again with GET"
    case .arrived(nil): "\(status) leads nowhere else: this is the end"
    case .asksEndpoint(let url):
      "\(status) leads nowhere else: this is the page; its oEmbed endpoint is asked too, \(url)"
    case .arrived(let later?):
      "a refresh after \(later.seconds) s is longer than 10 s, and not followed to \(later.url): this is the end"
    case .failed(let failure): failure.message
    case .robots(let told): told
    }
  }
}

extension Explanation {
  var text: String {
    get throws { try shownLines.joined(separator: "\n") + "\n" }
  }

  /// A paragraph for each exchange, and what came of them; all of it made harmless for terminals.
  var shownLines: [String] {
    get throws {
      var lines: [String] = []
      for (index, step) in steps.enumerated() {
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
    let step = steps[index]
    guard !step.isForRobots, let next = steps[(index + 1)...].first(where: { !$0.isForRobots })
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
    let row = try JSONDocument(parsing: row, limits: .around).root
    if let failure {
      let isTold = if case .failed(failure) = steps.last?.rule { true } else { false }
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
    guard wantsEmbed, let card = row["card"] else { return [] }
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
