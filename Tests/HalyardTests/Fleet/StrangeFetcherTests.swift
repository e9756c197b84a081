import DemoSite
import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// Fetchers that are started beside a fleet, with options of their own or with none.
@Suite(.timeLimit(.minutes(2)))
struct StrangeFetcherTests {
  @Test func `a fetcher that was given no options takes the fleet's`() async throws {
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

  @Test func `a fetcher with other options than the fleet's gets no jobs, and the status says why`()
    async throws
  {
    let (site, directory) = (try TestSite(), try TemporaryDirectory())
    let fleet = try await UpFleet(in: directory)
    // All that it fetched would end as blocked_address, and fast.
    let stranger = try Child(["fetcher", "--run-dir", directory.file("run"), "--allow-address", "10.9.9.9"])
    #expect(
      await fleet.up.messages.holds("worker gets nothing to do: it differs from its fleet", silenceAtMost: 60)
    )
    let links = (0..<200).map { site.url("/page/\($0)") }
    let submitted = try await Child(["title"] + links + fleet.words).ended()
    #expect(submitted.status == 0, "\(submitted.messages)")
    #expect(try submitted.rows().count == 200)
    #expect(try submitted.rows().allSatisfy { $0["status"] == "ok" })
    let status = try await Child(["status"] + fleet.words).ended()
    #expect(status.output.hasPrefix("fleet degraded: fetcher "))
    #expect(status.output.contains("gets nothing to do: its --allow-address is not the fleet's"))
    stranger.terminate()
    _ = try await stranger.ended()
    try await fleet.stop()
  }
}
