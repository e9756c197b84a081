import PipelineTesting
import Testing

/// Recipes that a fleet runs while its processes die, or somebody thinks better of it.
@Suite(.timeLimit(.minutes(10)))
struct FleetRunTests {
  private static let count = 300
  private static let perGate = 60

  private func recipe(in folder: Folder) throws -> String {
    try folder.path("calls.json", holding: CallSite.recipe())
  }

  @Test func `workers that are killed in turn change nothing of what is gathered`() async throws {
    let victims = ["fetcher 1", "decoder 1", "aggregator", "fetcher 2"]
    let site = try CallSite(Self.count, gates: victims.count) { number in
      guard let number, number >= Self.perGate else { return .answer }
      return .hold(number / Self.perGate - 1)
    }
    let folder = try Folder()
    let fleet = try await UpFleet(["--fetchers", "2"], workers: ["--per-host", "16"])
    let run = try Child(["run", try recipe(in: folder), "--row"] + site.parameter + fleet.words)
    for (gate, victim) in victims.enumerated() {
      // So many that some are held behind the gate.
      try await run.awaits(site.requests, 1 + (gate + 1) * Self.perGate, "requests")
      try fleet.kill(victim)
      site.open(gate)
    }
    let end = try await run.ended()
    #expect(end.status == 0, "\(end.messages)")
    let rows = try end.rows()
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row["value"] == CallSite.gathered(0..<Self.count))
    #expect(row["steps"] == #"{"list":{"status":"ok"},"calls":{"status":"ok"}}"#)
    let asked = site.asked
    #expect(Set(asked) == Set(["/list"] + (0..<Self.count).map { "/call/\($0)" }))
    let again = try await Child(["results", try #require(row["batch"])] + fleet.words).ended()
    #expect(try again.rows().map { $0["value"] } == [row["value"]])
    #expect(try await Child(["ping"] + fleet.words).ended().status == 0)
    #expect(site.asked == asked, "calls after the end")
    try await fleet.stop()
    #expect(fleet.up.messages.text.components(of: "was killed by signal 9") == victims.count)
  }

  @Test func `a run that is cancelled asks for nothing more, and says by what`() async throws {
    let site = try CallSite(Self.count) { $0 == nil ? .answer : .hold(0) }
    let folder = try Folder()
    let fleet = try await UpFleet(["--fetchers", "2"], workers: ["--per-host", "16"])
    let run = try Child(
      ["run", try recipe(in: folder), "--row", "--progress", "always"] + site.parameter + fleet.words)
    try await run.awaits(site.requests, 1 + 16, "requests")
    #expect(await run.messages.holds("list ok  calls 0/300", silenceAtMost: 20))
    let batch = try #require(
      try await fleet.status()["batches"]?.split(separator: "\"").first { $0.count == 36 })
    let cancel = try await Child(["cancel", String(batch), "--cause", "enough of it"] + fleet.words).ended()
    #expect(cancel.output == "1 job cancelled\n")
    let end = try await run.ended()
    #expect(end.status == 1)
    let row = try #require(try end.rows().first)
    #expect(row["status"] == "cancelled")
    #expect(row["error.kind"] == "cancelled")
    #expect(row["error.message"]?.contains("enough of it") == true, "\(row["error.message"] ?? "")")
    #expect(row["value"] == nil)
    let asked = site.asked
    site.open()
    #expect(try await Child(["ping"] + fleet.words).ended().status == 0)
    #expect(site.asked == asked && asked.count == 1 + 16, "calls after the end")
    let jobs = try await fleet.status()
    #expect(jobs["jobs.leased"] == "0" && jobs["jobs.ready"] == "0" && jobs["jobs.waiting"] == "0")
    try await fleet.stop()
  }

  @Test func `Ctrl-C ends the run in the fleet too`() async throws {
    let site = try CallSite(Self.count) { $0 == nil ? .answer : .hold(0) }
    let folder = try Folder()
    let fleet = try await UpFleet(workers: ["--per-host", "16"])
    let run = try Child(["run", try recipe(in: folder)] + site.parameter + fleet.words)
    try await run.awaits(site.requests, 1 + 16, "requests")
    run.interrupt()
    let end = try await run.ended()
    #expect(end.status == 130)
    #expect(end.messages == "halyard: ending the run\nhalyard: cancelled: interrupted\n")
    let status = try await fleet.status()
    #expect(status["jobs.leased"] == "0" && status["jobs.ready"] == "0" && status["jobs.waiting"] == "0")
    #expect(site.asked.count == 1 + 16)
    try await fleet.stop()
  }

  @Test func `a run that failed makes all its calls anew when it is requeued`() async throws {
    let isMended = Tally()
    let site = try CallSite(5) { $0 == 3 && isMended.count == 0 ? .fail : .answer }
    let folder = try Folder()
    let fleet = try await UpFleet(workers: ["--retries", "0", "--per-host", "1"])
    let first = try await Child(
      ["run", try recipe(in: folder), "--row"] + site.parameter + fleet.words
    ).ended()
    #expect(first.status == 1)
    let batch = try #require(try first.rows().first?["batch"])
    #expect(site.asked == ["/list"] + (0...3).map { "/call/\($0)" })
    isMended.add()
    let requeue = try await Child(["requeue", batch] + fleet.words).ended()
    #expect(requeue.output == "1 job requeued\n")
    let end = try await Child(["results", batch, "--follow"] + fleet.words).ended()
    #expect(try end.rows().map { $0["value"] } == [CallSite.gathered(0..<5)])
    #expect(site.asked.suffix(6) == ["/list"] + (0..<5).map { "/call/\($0)" })
    try await fleet.stop()
  }
}

extension String {
  fileprivate func components(of words: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: words) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
