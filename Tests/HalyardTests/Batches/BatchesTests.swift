import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// The commands that list batches and change them, against a fleet of processes.
@Suite(.timeLimit(.minutes(10)))
struct BatchesTests {
  private let site: TestSite
  private let fleet: UpFleet

  init() async throws {
    site = try TestSite()
    fleet = try await UpFleet(workers: ["--retries", "0"])
  }

  private func ask(_ words: String...) async throws -> Ended { try await Child(words + fleet.words).ended() }

  private func submit(_ name: String, _ links: [String], _ words: String...) async throws {
    let list = links.map { "\($0)\n" }.joined()
    let end = try await Child(["submit", "-", "--name", name] + words + fleet.words, input: .text(list))
      .ended()
    #expect(end.status == 0, "\(end.messages)")
  }

  private func names(_ words: String...) async throws -> [String?] {
    try await Child(["batches", "--json"] + words + fleet.words).ended().rows().map { $0["name"] }
  }

  @Test func `batches are listed by state, name, age and unread rows`() async throws {
    try await submit("held", [site.url("/held/1")])
    try await submit("paused", [site.url("/held/2")])
    try await submit("invoices", ["echo:1", "echo:2"], "--kind", "echo")
    #expect(try await ask("pause", "paused").status == 0)
    #expect(try await ask("results", "invoices", "--follow").status == 0)
    #expect(try await names() == ["invoices", "paused", "held"])
    #expect(try await names("--state", "open") == ["paused", "held"])
    #expect(try await names("--state", "complete") == ["invoices"])
    #expect(try await names("--state", "paused") == ["paused"])
    #expect(try await names("--name", "voice") == ["invoices"])
    #expect(try await names("--unread") == ["invoices"])
    #expect(try await names("--since", "1h", "--state", "abandoned").isEmpty)
    #expect(try await names("--older-than", "1h").isEmpty)
    #expect(try await ask("cancel", "held").output == "1 job cancelled\n")
    #expect(try await names("--state", "cancelled") == ["held"])
    let one = try await ask("batches", "--limit", "1")
    #expect(one.lines.count == 2 && one.lines[0].hasPrefix("BATCH ") && one.lines[1].hasPrefix("invoices "))
    #expect(one.messages == "halyard: there are more batches; show them with a larger --limit\n")
    site.release()
    try await fleet.stop()
  }

  @Test func `the status says how many batches it does not show`() async throws {
    for number in 1...22 { try await submit("batch \(number)", ["echo:1"], "--kind", "echo") }
    let status = try await ask("status")
    #expect(status.output.hasSuffix("and 2 more: halyard batches\n"), "\(status.output)")
    #expect(try await names().count == 22)
    try await fleet.stop()
  }

  @Test func `a batch gets another priority and other limits without its list`() async throws {
    try await submit("archive", [site.url("/held/1")])
    let end = try await ask("change", "archive", "--priority", "high", "--rate", "5/s")
    #expect(end.output == "batch archive is changed\n", "\(end.messages)")
    let changed = try #require(try await ask("batches", "--json").rows().first)
    #expect(changed["weight"] == "100" && changed["rate"] == "5/s" && changed["at_most"] == nil)
    #expect(try await ask("change", "archive", "--priority", "normal", "--json").status == 0)
    let again = try #require(try await ask("batches", "--json").rows().first)
    #expect(again["weight"] == nil && again["rate"] == "5/s")
    let nothing = try await ask("change", "archive")
    #expect(nothing.status == 64 && nothing.messages.contains("nothing to change; give --priority"))
    let unknown = try await ask("change", "nowhere", "--priority", "low")
    #expect(unknown.status == 65 && unknown.messages.contains("nowhere: the fleet has no batch"))
    site.release()
    try await fleet.stop()
  }

  @Test func `a pause says who and why, and is told once to those who wait`() async throws {
    try await submit("monday", [site.url("/page/1")], "--at", "+1h")
    let words = ["pause", "monday", "--reason", "its owner asked"] + fleet.words
    let pause = try await Child(words, environment: ["USER": "ann"]).ended()
    #expect(pause.output == "batch monday is paused\n", "\(pause.messages)")
    let follower = try Child(["results", "monday", "--follow"] + fleet.words)
    #expect(await follower.messages.holds("the batch is paused since 20", silenceAtMost: 60))
    let report = try await fleet.status()
    let paused = try #require(report.value["paused"].map { Array($0.elements) }?.first)
    #expect(paused["by"]?.string?.hasPrefix("ann@") == true && paused["until"] == nil)
    #expect(paused["reason"]?.string == "its owner asked")
    #expect(try await ask("resume", "monday").status == 0)
    #expect(try await ask("change", "monday", "--at", "+1s").status == 0)
    let end = try await follower.ended()
    #expect(end.status == 0, "\(end.messages)")
    let told = end.messages.components(separatedBy: " is paused since ")
    #expect(told.count == 2 && told[1].contains(" by ann@") && told[1].contains(": its owner asked; '"))
    try await fleet.stop()
  }

  @Test func `a pause ends by itself when its time is over`() async throws {
    let pause = try await ask("pause", "--all", "--for", "1s")
    #expect(pause.output == "everything is paused for 1s\n", "\(pause.messages)")
    try await submit("monday", [site.url("/page/1")])
    let end = try await ask("results", "monday", "--follow")
    #expect(end.status == 0 && end.lines.count == 1)
    #expect(try await fleet.status()["paused"] == nil)
    try await fleet.stop()
  }

  @Test func `a host that is paused is shown with the reason until it is resumed`() async throws {
    #expect(try await ask("pause", "--host", "a.test", "--reason", "slow").status == 0)
    let status = try await ask("status")
    #expect(status.output.contains("\npaused  host a.test since 20") && status.output.contains(": slow; '"))
    #expect(try await ask("resume", "--host", "a.test").output == "host a.test is resumed\n")
    #expect(try await ask("resume", "--all").output == "there was no pause of everything\n")
    #expect(try await fleet.status()["paused"] == nil)
    try await fleet.stop()
  }
}
