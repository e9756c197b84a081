import PipelineTesting
import Testing

/// Orders about some jobs of a batch, or of all batches, against a fleet of processes.
@Suite(.timeLimit(.minutes(10)))
struct ChosenJobsTests {
  private let site: TwoHosts
  private let fleet: UpFleet

  init() async throws {
    site = try TwoHosts()
    fleet = try await UpFleet(workers: ["--retries", "0"] + TwoHosts.allowed)
  }

  private func ask(_ words: String...) async throws -> Ended { try await Child(words + fleet.words).ended() }

  private func submit(_ name: String, _ links: [String]) async throws {
    let list = links.map { "\($0)\n" }.joined()
    let end = try await Child(["submit", "-", "--name", name] + fleet.words, input: .text(list)).ended()
    #expect(end.status == 0, "\(end.messages)")
  }

  private func host(_ host: TwoHosts.Host) -> String { String(site.url(host, "").dropFirst(7)) }

  @Test func `jobs of a host, and one job, are cancelled in all batches, and counted once`() async throws {
    for name in ["one", "two"] {
      try await submit(
        name,
        [TwoHosts.Host.name, .name, .address, .address].enumerated().map { number, host in
          site.url(host, "/held/\(name)/\(number)")
        })
    }
    let first = try await ask("cancel", "--host", host(.name))
    #expect(first.output == "4 jobs cancelled\n", "\(first.messages)")
    #expect(try await ask("cancel", "--host", host(.name)).output == "0 jobs cancelled\n")
    let open = try await ask("jobs", "--batch", "one", "--state", "leased", "--json").rows()
    let more = try await ask("jobs", "--batch", "one", "--state", "ready", "--json").rows()
    let job = try #require((open + more).first?["id"])
    #expect(try await ask("cancel", "--job", job, "--json").rows().first?["cancelled"] == "1")
    #expect(try await ask("cancel", "--job", job).output == "0 jobs cancelled\n")
    #expect(try await ask("cancel", "two", "--since", "1h").output == "2 jobs cancelled\n")
    #expect(try await ask("cancel", "one").output == "1 job cancelled\n")
    #expect(try await ask("cancel", "one").output == "0 jobs cancelled\n")
    let status = try await ask("batches", "--json").rows()
    #expect(status.map { $0["cancelled"] } == ["4", "4"])
    // Only a whole batch is cancelled with what is still to come.
    #expect(status.map { $0["is_cancelled"] } == [nil, "true"])
    site.release()
    try await fleet.stop()
  }

  @Test func `failed jobs of a host, since a time, and one job are retried`() async throws {
    let links = [TwoHosts.Host.name, .address].map { site.url($0, "/to/10.0.0.1/x") }
    try await submit("one", links + ["no link at all"])
    #expect(try await ask("results", "one", "--follow").status == 1)
    let failed = try await ask("jobs", "--state", "failed", "--json").rows()
    #expect(failed.count == 3)
    let host = try await ask("requeue", "--host", host(.name), "--json")
    #expect(try host.rows().first?["requeued"] == "1", "\(host.messages)")
    #expect(try await ask("results", "one", "--follow").status == 1)
    let job = try #require(failed.first { $0["input"] == links[1] }?["id"])
    #expect(try await ask("requeue", "--job", job).output == "1 job requeued\n")
    #expect(try await ask("results", "one", "--follow").status == 1)
    #expect(try await ask("requeue", "--since", "1h").output == "3 jobs requeued\n")
    #expect(try await ask("results", "one", "--follow").status == 1)
    let both = try await ask("requeue", "--job", job, "--host", "a.test")
    #expect(both.status == 64 && both.messages.contains("--job names one job"))
    let none = try await ask("requeue", "--job", "0198c0de-0000-7000-8000-000000000000")
    #expect(none.status == 65 && none.messages.contains("the fleet has no job of this id"))
    #expect(
      try await ask("cancel").messages.contains("no batch given, and none of --job, --host and --since"))
    try await fleet.stop()
  }
}
