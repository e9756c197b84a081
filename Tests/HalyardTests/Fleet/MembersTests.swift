import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// Workers that are drained, and fleets that are scaled.
@Suite(.timeLimit(.minutes(5)))
struct MembersTests {
  @Test func `a drained worker ends, and up does not start it again`() async throws {
    let (site, fleet) = (try TestSite(), try await UpFleet(["--fetchers", "2"]))
    let workers = try await fleet.workers(3)
    let fetcher = try #require(workers.first { $0["role"]?.string == "fetcher" })
    let id = try #require(fetcher["id"]?.string)
    let drained = try await Child(["drain", id, "--json"] + fleet.words).ended()
    #expect(drained.status == 0, "\(drained.messages)")
    #expect(try drained.rows().first?["role"] == "fetcher")
    #expect(await fleet.up.messages.holds(" was drained, and does not start again", silenceAtMost: 60))
    _ = try await fleet.workers(2)
    let again = try await Child(["drain", id] + fleet.words).ended()
    #expect(again.status == 65)
    #expect(again.messages.contains("the fleet has no worker with this id"))
    let titles = try await Child(["title", site.url("/page/1")] + fleet.words).ended()
    #expect(try titles.rows().first?["status"] == "ok")
    try await fleet.stop()
  }

  @Test func `a fleet is scaled up and down while it runs`() async throws {
    let fleet = try await UpFleet()
    let directory = fleet.words[1]
    func scale(_ words: String...) async throws -> String {
      let scaled = try await Child(["scale"] + words + ["--run-dir", directory, "--wait", "30s"]).ended()
      #expect(scaled.status == 0, "\(scaled.messages)")
      return scaled.output
    }
    func becomes(_ fetchers: Int, _ decoders: Int) async throws {
      let wanted = "{\"fetchers\":\(fetchers),\"decoders\":\(decoders)}"
      while true {
        let roles = try await fleet.workers(fetchers + decoders).map { $0["role"]?.string }
        if roles.count(where: { $0 == "fetcher" }) == fetchers, try await fleet.status()["wanted"] == wanted {
          return
        }
      }
    }
    #expect(try await scale("fetchers", "3") == "the fleet is to run 3 fetchers\n")
    #expect(try await scale("decoders", "2", "--json") == "{\"decoders\":2}\n")
    try await becomes(3, 2)
    try fleet.kill("fetcher 3")
    #expect(await fleet.up.messages.holds("fetcher 3 was killed by signal 9", silenceAtMost: 60))
    try await becomes(3, 2)
    #expect(try await scale("fetchers", "1") == "the fleet is to run 1 fetcher\n")
    try await becomes(1, 2)
    #expect(fleet.up.messages.text.contains("fetcher 2 finishes what it has and ends"))
    try await fleet.stop()
    let late = try await Child(["scale", "fetchers", "2", "--run-dir", directory]).ended()
    #expect(late.status == 69)
    #expect(late.messages.hasPrefix("halyard: no fleet of 'halyard up' runs in "))
  }

  @Test func `workers whose sockets are removed are reached again`() async throws {
    let fleet = try await UpFleet()
    let directory = fleet.words[1]
    for worker in ["decoder", "fetcher"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: directory)
      where name.hasPrefix("\(worker)-") && !name.hasSuffix(".lock") {
        try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
      }
      // Who starts now reaches them through the directory alone.
      try fleet.kill(worker == "decoder" ? "fetcher 1" : "aggregator")
      #expect(await fleet.up.messages.holds("a socket was removed", silenceAtMost: 60))
      #expect(try await Child(["ping"] + fleet.words).ended().status == 0)
    }
    try await fleet.stop()
  }

  @Test func `a fleet whose locks are removed makes them again, and ends in order`() async throws {
    let fleet = try await UpFleet()
    let directory = fleet.words[1]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) where name.hasSuffix("lock") {
      try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
    #expect(
      await fleet.up.messages.holds("a lock of the fleet was removed from \(directory)", silenceAtMost: 60))
    #expect(try await Child(["status"] + fleet.words).ended().status == 0)
    let down = try await Child(["down", "--run-dir", directory]).ended()
    #expect(down.status == 0 && down.messages.hasSuffix("the fleet has ended\n"), "\(down.messages)")
  }

  @Test func `scale says when the socket of up was removed`() async throws {
    let fleet = try await UpFleet()
    let directory = fleet.words[1]
    let scaling = ["scale", "fetchers", "2", "--run-dir", directory, "--wait", "1s"]
    try FileManager.default.removeItem(atPath: "\(directory)/control")
    let deaf = try await Child(scaling).ended()
    #expect(deaf.status == 69)
    #expect(deaf.messages.contains("/control of 'halyard up' is gone"), "\(deaf.messages)")
    try await fleet.stop()
  }
}
