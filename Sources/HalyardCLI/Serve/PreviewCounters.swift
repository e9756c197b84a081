import Metrics
import Posix

/// What the service did since it started.
final class PreviewCounters: Sendable {
  enum Event: String, CaseIterable {
    case fresh, stale, waited, late, problem, refused, fetched
  }

  private struct State {
    var counts: [Event: UInt64] = [:]
    var seconds = Histogram.short
  }

  private let state = Lock(State())

  func count(_ event: Event) {
    state.withLock { $0.counts[event, default: 0] += 1 }
  }

  func answered(microseconds: Int64) {
    state.withLock { $0.seconds.observe(microseconds: microseconds) }
  }

  func families(underWay: Int, size: (previews: Int, bytes: Int)) -> [MetricFamily] {
    let (counts, seconds) = state.withLock { ($0.counts, $0.seconds) }
    var requests = MetricFamily(
      "halyard_preview_answers_total", .counter, "Answers about links, by where they came from.")
    for event in Event.allCases where event != .fetched {
      requests = requests.with(.whole(counts[event] ?? 0), ["from": event.rawValue])
    }
    return [
      requests,
      MetricFamily("halyard_preview_fetches_total", .counter, "Links that were fetched for previews.")
        .with(.whole(counts[.fetched] ?? 0)),
      MetricFamily(
        "halyard_preview_seconds", .histogram, "How long requests took until their answer was there."
      )
      .with(.histogram(seconds)),
      MetricFamily("halyard_preview_fetches", .gauge, "Links that are being fetched.").with(
        .whole(UInt64(underWay))),
      MetricFamily("halyard_previews", .gauge, "Previews that are kept in memory.").with(
        .whole(UInt64(size.previews))),
      MetricFamily("halyard_preview_bytes", .gauge, "What they take.").with(.whole(UInt64(size.bytes))),
    ]
  }
}
