import DemoSite
import Foundation
import PipelineTesting
import Testing

/// Fetchers that were not told what the rest of their fleet was.
@Suite(.timeLimit(.minutes(2)))
struct StrangeFetcherTests {
  @Test func `a fetcher without the fleet's options gets no jobs, and the status says why`() async throws {
    let (site, directory) = (try TestSite(), try TemporaryDirectory())
    let fleet = try await UpFleet(in: directory)
    // All that it fetched would end as blocked_address, and fast.
    let stranger = try Child(["fetcher", "--run-dir", directory.file("run")])
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
