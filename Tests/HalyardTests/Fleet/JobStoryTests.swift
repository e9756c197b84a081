import PipelineTesting
import Testing

/// The commands `job` and `jobs`, against a fleet of processes.
@Suite(.timeLimit(.minutes(10)))
struct JobStoryTests {
  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private var fleet: [String] { ["--fleet", directory.file("run"), "--wait", "30s"] }

  private func ask(_ words: String...) async throws -> Ended { try await Child(words + fleet).ended() }

  @Test func `what became of a job is told by its id and its link`() async throws {
    let up = try await UpFleet([], workers: ["--retries", "0"], in: directory).up
    let links = ["/page/1", "/page/2", "/page/1"].map { site.url($0) } + ["no link at all"]
    let list = links.map { "\($0)\n" }.joined()
    let submit = try await Child(["submit", "-", "--name", "monday"] + fleet, input: .text(list)).ended()
    #expect(submit.status == 0, "\(submit.messages)")
    #expect(try await ask("results", "monday", "--follow").status == 1)

    let done = try await ask("jobs", "--state", "done", "--json")
    #expect(try done.rows().map { $0["input"] } == [links[2], links[1], links[0]])
    let failed = try await ask("jobs", "--batch", "monday", "--state", "failed")
    #expect(failed.output.contains("failed: invalid_input"))
    #expect(failed.output.contains("no link at all"))
    let two = try await ask("jobs", "--limit", "2", "--json")
    #expect(try two.rows().count == 2)
    #expect(two.messages == "halyard: there are more jobs; show them with a larger --limit\n")
    #expect(try await ask("jobs", "--since", "24h", "--kind", "decode", "--json").output.isEmpty)

    let byLink = try await ask("job", links[0], "--json")
    let story = try #require(try byLink.rows().first)
    #expect(story["schema"] == "halyard.job/1")
    #expect(story["id"] == (try done.rows().first?["id"]))
    #expect(story["row.status"] == "ok")
    #expect(byLink.messages == "halyard: 1 more job has this link; show them with --limit\n")
    #expect(try await ask("job", links[0], "--json", "--limit", "9").rows().count == 2)
    let byID = try await ask("job", try #require(try done.rows()[1]["id"]))
    #expect(byID.output.hasPrefix("title  \(links[1])\n"))
    #expect(byID.output.contains("\ntry 1  waited "))

    let unknown = try await ask("job", "0198c0de-0000-7000-8000-000000000000")
    #expect(unknown.status == 65 && unknown.messages.contains("the fleet has no job of this id"))
    #expect(try await ask("job", "http://none.test/").status == 65)
    #expect(try await ask("job", "neither of both").status == 65)
    #expect(try await ask("jobs", "--batch", "tuesday").status == 65)
    up.terminate()
    #expect(try await up.ended().status == 0)
  }
}
