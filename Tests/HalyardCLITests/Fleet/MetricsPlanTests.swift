import HTTPMessages
import Pipeline
import PipelineTesting
import Roles
import Testing

@testable import HalyardCLI

struct MetricsPlanTests {
  @Test(arguments: [
    ("9100", "127.0.0.1", 9100), ("0.0.0.0:9100", "0.0.0.0", 9100), ("[::1]:0", "::1", 0),
    ("10.0.0.1:65535", "10.0.0.1", 65_535),
  ])
  func `an address is a port or an address with one`(text: String, host: String, port: UInt16) throws {
    let plan = try #require(MetricsPlan(text))
    #expect(plan.host == host && plan.port == port)
  }

  @Test(arguments: ["", "x", "127.0.0.1", "127.0.0.1:", ":9100", "70000", "127.0.0.1:70000"])
  func `anything else is refused`(text: String) {
    #expect(MetricsPlan(text) == nil)
  }

  private struct Shown: MetricsSource {
    var page: MetricsPage?
  }

  private func answer(_ path: String, _ page: MetricsPage?, at milliseconds: Int64 = 0) -> Response {
    let clock = ManualClock()
    let shown = page.map {
      MetricsPage($0.families, trouble: $0.trouble, at: clock.now.advanced(byMilliseconds: -milliseconds))
    }
    return MetricsPages(source: Shown(page: shown), clock: clock).answer(path)
  }

  private let page = MetricsPage(
    [MetricFamily("t", .gauge, "One.").with(.whole(1))], at: Moment(unixMilliseconds: 0))
  private var troubled: MetricsPage {
    var page = page
    page.trouble = "no fetcher"
    return page
  }

  private func isTrouble(_ text: String, _ response: Response) -> Bool {
    response.head.status == 503 && response.body == Array("\(text)\n".utf8)
  }

  @Test func `a process that cannot do its work is healthy and not ready`() {
    #expect(answer("/healthz", troubled).head.status == 200)
    #expect(isTrouble("no fetcher", answer("/readyz", troubled)))
    #expect(answer("/readyz", page).head.status == 200)
  }

  @Test func `a loop that stands still, or has not begun, is neither healthy nor ready`() {
    #expect(answer("/healthz", page, at: 15_000).head.status == 200)
    let still = "its loop has not come round for 15 seconds"
    #expect(isTrouble(still, answer("/healthz", page, at: 15_001)))
    #expect(isTrouble(still, answer("/readyz", page, at: 15_001)))
    #expect(isTrouble("it is starting", answer("/healthz", nil)))
  }

  @Test func `the metrics also say whether it is ready`() {
    #expect(String(decoding: answer("/metrics", page).body, as: UTF8.self).hasSuffix("t 1\n\(ready(1))"))
    #expect(String(decoding: answer("/metrics", troubled).body, as: UTF8.self).hasSuffix(ready(0)))
    #expect(answer("/else", page).head.status == 404)
  }

  private func ready(_ value: Int) -> String {
    """
    # HELP halyard_ready 1 while /readyz says ok, else 0.
    # TYPE halyard_ready gauge
    halyard_ready \(value)

    """
  }
}
