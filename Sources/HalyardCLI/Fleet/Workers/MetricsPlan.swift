import Metrics
import MetricsHTTP
import Pipeline
import Roles

/// Where a process serves its metrics.
struct MetricsPlan: Sendable {
  let host: String
  let port: UInt16

  private static let loopback = "127.0.0.1"

  /// - Parameter text: `9100`, `10.0.0.1:9100` or `[::1]:9100`.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else {
      guard let port = UInt16(text) else { return nil }
      (host, self.port) = (Self.loopback, port)
      return
    }
    guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    (self.host, self.port) = (String(host), port)
  }

  private init(host: String, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  /// The same address with the next port; any port stays any.
  var next: MetricsPlan { MetricsPlan(host: host, port: port == 0 || port == .max ? port : port + 1) }

  var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// - Parameter confines: Called on the thread that serves, before it serves.
  func serve(
    _ source: any MetricsSource, clock: any PipelineClock, log: any Log,
    confines: @escaping @Sendable () throws -> Void = {}
  ) throws -> ScrapeServer {
    let pages = MetricsPages(source: source, clock: clock)
    let server: ScrapeServer
    do {
      server = try ScrapeServer.start(host: host, port: port, prepare: confines) { pages.answer($0) }
    } catch {
      throw MetricsUnavailable(address: text, cause: "\(error)")
    }
    log.record(.info, "serves metrics", [LogField("at", server.address)])
    return server
  }
}

/// The address for metrics cannot be had.
struct MetricsUnavailable: Error, Hashable, Sendable {
  var address: String
  var cause: String

  var rendered: String {
    "halyard: cannot serve metrics at \(Printable.text(address)): \(Printable.text(cause)); choose another --metrics\n"
  }
}

/// What is served under which path.
struct MetricsPages: Sendable {
  /// A loop comes round every two seconds at least; one that has not for so long stands still.
  static let longestTurnMilliseconds: Int64 = 15_000

  let source: any MetricsSource
  let clock: any PipelineClock

  func answer(_ path: String) -> ScrapeAnswer {
    switch path {
    case "/metrics":
      let trouble = standstill ?? source.page?.trouble
      let ready = MetricFamily("halyard_ready", .gauge, "1 while /readyz says ok, else 0.")
        .with(.whole(trouble == nil ? 1 : 0))
      let text = PrometheusText.write((source.page?.families ?? []) + [ready])
      return ScrapeAnswer(200, contentType: PrometheusText.contentType, body: text)
    case "/healthz": return answer(to: standstill)
    case "/readyz": return answer(to: standstill ?? source.page?.trouble)
    default: return .notFound
    }
  }

  private func answer(to trouble: String?) -> ScrapeAnswer {
    trouble.map { ScrapeAnswer(503, $0) } ?? ScrapeAnswer(200, "ok")
  }

  private var standstill: String? {
    guard let page = source.page else { return "it is starting" }
    let silence = clock.now.milliseconds(since: page.moment)
    guard silence > Self.longestTurnMilliseconds else { return nil }
    return "its loop has not come round for \(silence / 1_000) seconds"
  }
}
