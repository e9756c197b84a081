import HTTPMessages
import JSONQuery
import LinkPreviews
import Links
import Pipeline
import Posix
import Roles

/// What the service did since it started.
final class PreviewCounters: Sendable {
  /// What became of a link that was asked about.
  enum LinkEnd: String, CaseIterable {
    /// There was a fresh answer, or a stale one.
    case fresh, stale
    /// An answer came in time, or did not, or the client left before either.
    case waited, late, left
    /// It is not fetched for who asked, or nothing can be fetched now.
    case refused, unavailable
  }

  /// A kind of response.
  private struct Response: Hashable {
    var route: String
    var status: Int
    var cache: String
  }

  private struct State {
    var responses: [Response: UInt64] = [:]
    var seconds: [String: Histogram] = [:]
    var links: [LinkEnd: UInt64] = [:]
    var fetches: UInt64 = 0
  }

  private let state = Lock(State())

  func fetched() { state.withLock { $0.fetches += 1 } }

  func ended(_ end: LinkEnd) { state.withLock { $0.links[end, default: 0] += 1 } }

  /// - Parameters:
  ///   - route: One of a few, whatever paths are asked for.
  ///   - cached: Where an answer about a link came from; nil for other responses.
  func responded(_ status: Int, at route: String, cached: String?, microseconds: Int64) {
    let response = Response(route: route, status: status, cache: cached ?? "none")
    state.withLock { state in
      state.responses[response, default: 0] += 1
      state.seconds[response.cache, default: .medium].observe(microseconds: microseconds)
    }
  }

  func families(underWay: Int, previews: Int, bytes: Int) -> [MetricFamily] {
    let state = state.withLock { $0 }
    var responses = MetricFamily(
      "halyard_preview_responses_total", .counter,
      "Responses, by what was asked for, their status, and where the answer about a link came from.")
    for (response, count) in state.responses.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      responses = responses.with(
        .whole(count),
        ["route": response.route, "status": "\(response.status)", "cache": response.cache])
    }
    var seconds = MetricFamily(
      "halyard_preview_seconds", .histogram, "How long requests took until their response was there.")
    for (cache, histogram) in state.seconds.sorted(by: { $0.key < $1.key }) {
      seconds = seconds.with(.histogram(histogram), ["cache": cache])
    }
    var links = MetricFamily(
      "halyard_preview_links_total", .counter, "Links that were asked about, by what became of them.")
    for end in LinkEnd.allCases { links = links.with(.whole(state.links[end] ?? 0), ["end": end.rawValue]) }
    return [
      responses, seconds, links,
      MetricFamily("halyard_preview_fetches_total", .counter, "Links that were fetched for previews.")
        .with(.whole(state.fetches)),
      MetricFamily("halyard_preview_fetches", .gauge, "Links that are being fetched.")
        .with(.whole(UInt64(underWay))),
      MetricFamily("halyard_previews", .gauge, "Previews that are kept in memory.")
        .with(.whole(UInt64(previews))),
      MetricFamily("halyard_preview_bytes", .gauge, "What they take.").with(.whole(UInt64(bytes))),
    ]
  }
}

/// A line of JSON for each answer, written a few times a second.
final class AccessLog: Sendable {
  private struct State {
    var lines: [UInt8] = []
    var dropped = 0
  }

  private static let longestWaiting = 4 << 20
  private static let pauseMilliseconds = 200
  private let state = Lock(State())
  private let file: Descriptor
  private let worker: BlockingWorker

  /// - Parameter path: `-` for standard output.
  init(_ path: String) throws {
    file = path == "-" ? .standardOutput : try FilePlace(path).writing(appending: true)
    worker = try BlockingWorker(name: "access log")
  }

  /// - Parameter visit: nil when the request was not valid.
  func note(
    _ id: String, _ visit: PreviewVisit?, status: Int, bytes: Int, cached: String? = nil,
    microseconds: Int64 = 0
  ) {
    let line = JSONWriter.line { line in
      line.member("time", Moment(unixMilliseconds: SystemTime.unixMilliseconds).timestamp)
      line.member("id", id)
      line.member("client", visit?.client)
      line.member("token", visit?.holder?.name)
      line.member("method", visit?.head.method.rawValue)
      line.member("path", visit?.head.path)
      line.member("query", visit?.head.queryItems.map(Self.shown))
      line.member("status", status)
      line.member("bytes", bytes)
      line.member("us", microseconds)
      line.member("cached", cached)
    }
    state.withLock { state in
      if state.lines.count > Self.longestWaiting { state.dropped += 1 } else { state.lines += line }
    }
  }

  /// Without tokens, and without the passwords of links.
  private static func shown(_ items: [(name: String, value: String)]) -> String {
    items.filter { !PreviewQuestion.tokenNames.contains($0.name) }.map { name, value in
      "\(name)=\(percentEncoded(printableLink(value)))"
    }.joined(separator: "&")
  }

  /// Writes until it is cancelled, and then what is left.
  func run() async {
    while (try? await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))) != nil { await flush() }
    // A cancelled task would not wait for it.
    await Task { await flush() }.value
  }

  private func flush() async {
    let (lines, dropped) = state.withLock { state in
      defer { state = State() }
      return (state.lines, state.dropped)
    }
    guard !lines.isEmpty else { return }
    if dropped > 0 { Message.show("halyard: the access log is slow: \(dropped) lines are left out\n") }
    // A log that cannot be written ends no service.
    try? await worker.run { [file] in try file.writeAll(lines) }
  }
}
