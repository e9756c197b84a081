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
