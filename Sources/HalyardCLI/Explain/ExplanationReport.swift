import JSONQuery
import Pipeline
import Roles

/// An explanation as people and programs read it.
struct ExplanationReport {
  let explanation: Explanation

  /// Headers that decide something. The values of cookies are secret.
  static func telling(_ response: FetchResponse) -> [HeaderField] {
    let names: Set = ["location", "refresh", "content-type", "content-encoding", "retry-after", "server"]
    return response.headers.compactMap { header in
      let name = header.name.lowercased()
      if name == "set-cookie" { return HeaderField(header.name, cookieName(header.value)) }
      return names.contains(name) ? header : nil
    }
  }

  private static func cookieName(_ value: String) -> String {
    String(value.prefix { $0 != "=" && $0 != ";" }) + "=…"
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
      line.objects("steps", of: explanation.steps) { Self.write($1, to: &$0) }
      line.key("row")
      line.raw(explanation.row)
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
