import HTTPMessages
import HTTPServer
import LinkPreviews
import Metrics
import Posix

/// What tells how the service is.
struct ServiceProbes: Sendable {
  let desk: PreviewDesk

  func answer(_ path: String, _ visit: PreviewVisit) -> Response {
    guard path == "/metrics" else {
      return visit.answer(
        200, "text/plain; charset=utf-8", body: Array("ok\n".utf8), [("Cache-Control", "no-store")])
    }
    let families = desk.counters.families(underWay: desk.underWay, size: desk.size)
    return visit.answer(
      200, "text/plain; version=0.0.4; charset=utf-8", body: PrometheusText.write(families),
      [("Cache-Control", "no-store")])
  }
}

/// Numbers requests, so that a line of the log is found again.
struct RequestIDs: Sendable {
  private let process: String
  private let last = Lock(0)

  init() { process = String(UInt32.random(in: .min ... .max), radix: 36) }

  func next() -> String {
    let number = last.withLock { last in
      last += 1
      return last
    }
    return "\(process)-\(number)"
  }
}
