import HTTPMessages
import HTTPServer
import LinkPreviews
import Metrics
import Pipeline
import Posix

/// What tells how the service is.
struct ServiceProbes: Sendable {
  let desk: PreviewDesk
  let readiness: Readiness

  func answer(_ path: String, _ visit: PreviewVisit) -> Response {
    if path == "/readyz", let problem = readiness.problem { return visit.answer(to: problem) }
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

/// Numbers requests, so that a line of the log is found again. The numbers are UUIDs: those of a process differ in their
/// last part alone, which counts.
struct RequestIDs: Sendable {
  private let process: Substring
  private let last = Lock(UInt64(0))
  private static let digitsOfNumber = 12

  init(_ random: Randomness, at now: Moment) {
    process = "\(random.uuid(at: now))".dropLast(Self.digitsOfNumber)
  }

  func next() -> String {
    let number = last.withLock { last in
      last += 1
      return last
    }
    let digits = String(number, radix: 16)
    return process + String(repeating: "0", count: max(0, Self.digitsOfNumber - digits.count)) + digits
  }
}
