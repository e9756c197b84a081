import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// Fetchers that are started beside a fleet.
@Suite(.timeLimit(.minutes(2)))
struct StrangeFetcherTests {
  @Test func `a fetcher takes the fleet's options`() async throws {
    let (site, directory) = (try TestSite(), try TemporaryDirectory())
    let fleet = try await UpFleet(workers: ["--max-hops", "3"], in: directory)
    let guest = try Child(["fetcher", "--run-dir", directory.file("run"), "--locality", "guest"])
    let helper = try Child(["decoder", "--run-dir", directory.file("run"), "--locality", "guest"])
    let verdicts = try await fleet.workers(4).map { $0["verdict"]?.string }
    #expect(verdicts == .init(repeating: "compatible", count: 4))
    // Without the fleet's --allow-address all that it fetched would end as blocked_address.
    let links = (0..<200).map { site.url("/page/\($0)") }
    let titles = try await Child(["title"] + links + fleet.words).ended()
    #expect(titles.status == 0, "\(titles.messages)")
    #expect(try titles.rows().allSatisfy { $0["status"] == "ok" })
    for worker in [guest, helper] {
      worker.terminate()
      #expect(try await worker.ended().status == 0)
    }
    try await fleet.stop()
  }

  @Test func `a fetcher that waits for a fleet to say how to fetch can be ended`() async throws {
    let directory = try TemporaryDirectory()
    let fetcher = try Child([
      "fetcher", "--run-dir", directory.file("run"), "--log-level", "debug", "--fleet", "tcp://127.0.0.1:9",
      "--bind", "tcp://127.0.0.1:0", "--insecure-transport",
    ])
    fetcher.terminate()
    #expect([0, 143].contains(try await fetcher.ended().status))
  }
}
