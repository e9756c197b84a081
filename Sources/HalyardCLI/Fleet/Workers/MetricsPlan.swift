import HTTPMessages
import HTTPServer
import Pipeline
import Posix
import Roles

/// Where a process serves its metrics.
struct MetricsPlan: Sendable {
  let host: String
  let port: UInt16

  private static let loopback = "127.0.0.1"
  /// With more, the slowest one gives way.
  private static let connections = 32
}

extension MetricsPlan {
  /// - Parameter text: `9100`, `10.0.0.1:9100` or `[::1]:9100`.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else {
      guard let port = UInt16(text) else { return nil }
      self.init(host: Self.loopback, port: port)
      return
    }
    guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  /// The same address with the next port; any port stays any.
  var next: MetricsPlan { MetricsPlan(host: host, port: port == 0 || port == .max ? port : port + 1) }

  var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// - Parameter isConfined: The server's thread can do nothing but serve.
  func serve(
    _ source: any MetricsSource, clock: any PipelineClock, log: any Log, isConfined: Bool = false
  ) throws -> HTTPServer {
    let pages = MetricsPages(source: source, clock: clock)
    var limits = ServerLimits()
    limits.connections = Self.connections
    do {
      let listener = try Listener(address: host, port: port)
      let start = { @Sendable [limits] in
        try HTTPServer([listener], limits: limits, Service { head, _ in .answer(pages.answer(to: head)) })
      }
      let server = try isConfined ? DecoderSandbox.start(start) : start()
      log.record(.info, "serves metrics", [LogField("at", MetricsPlan(host: host, port: listener.port).text)])
      return server
    } catch let error as PosixError {
      throw CannotServe(
        what: "metrics", place: text, cause: error.message, remedy: "choose another --metrics")
    }
  }
}

/// What is served under which path.
struct MetricsPages: Sendable {
  /// A loop comes round every two seconds at least; one that has not for so long stands still.
  static let longestTurnMilliseconds: Int64 = 15_000

  let source: any MetricsSource
  let clock: any PipelineClock

  func answer(to head: RequestHead) -> Response {
    guard head.method == .get || head.method == .head else {
      var response = answer(405, "only GET and HEAD")
      response.head.add("Allow", "GET, HEAD")
      return response
    }
    return answer(head.path)
  }

  func answer(_ path: String) -> Response {
    switch path {
    case "/metrics":
      let trouble = standstill ?? source.page?.trouble
      let ready = MetricFamily("halyard_ready", .gauge, "1 while /readyz says ok, else 0.")
        .with(.whole(trouble == nil ? 1 : 0))
      return answer(
        200, PrometheusText.contentType, PrometheusText.write((source.page?.families ?? []) + [ready]))
    case "/healthz": return answer(to: standstill)
    case "/readyz": return answer(to: standstill ?? source.page?.trouble)
    default: return answer(404, "not here; try /metrics, /healthz or /readyz")
    }
  }

  private func answer(to trouble: String?) -> Response {
    trouble.map { answer(503, $0) } ?? answer(200, "ok")
  }

  private func answer(_ status: Int, _ text: String) -> Response {
    answer(status, "text/plain; charset=utf-8", Array("\(text)\n".utf8))
  }

  private func answer(_ status: Int, _ contentType: StaticString, _ body: [UInt8]) -> Response {
    var head = ResponseHead(status, contentType: contentType)
    head.add("Cache-Control", "no-store")
    head.add("X-Content-Type-Options", "nosniff")
    return Response(head, body: body)
  }

  private var standstill: String? {
    guard let page = source.page else { return "it is starting" }
    let silence = clock.now.milliseconds(since: page.moment)
    guard silence > Self.longestTurnMilliseconds else { return nil }
    return "its loop has not come round for \(silence / 1_000) seconds"
  }
}
