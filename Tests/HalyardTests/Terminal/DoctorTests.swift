import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
  private let checks = ["libraries", "certificates", "descriptors", "ledger", "fleet", "sandbox"]

  @Test func `every check is told, and a machine that can run the tests has no trouble`() async throws {
    let folder = try Folder()
    let surroundings = ["XDG_STATE_HOME": try folder.path("")]
    let json = try await Child(["doctor", "--json"], environment: surroundings).ended()
    #expect(json.messages == "")
    #expect(try json.rows().compactMap { $0["check"] } == checks)
    #expect(try json.rows().allSatisfy { $0["state"] != "trouble" })
    #expect(json.status == 0)
    let text = try await Child(["doctor"], environment: surroundings).ended()
    #expect(text.lines.filter { !$0.hasPrefix(" ") }.count == checks.count)
  }

  @Test func `a file that is no ledger is trouble, and stays as it is`() async throws {
    let folder = try Folder()
    let file = try folder.path("jobs.db", holding: "hello")
    let ended = try await halyard(
      "doctor", "--ledger", file, environment: ["XDG_STATE_HOME": try folder.path("")])
    #expect(ended.status == 1)
    #expect(ended.output.contains("trouble  ledger       \(file): this is not a ledger"))
    #expect(try folder.names() == ["jobs.db"])
    #expect(try folder.content("jobs.db") == "hello")
  }

  @Test func `a ledger that a run has made is one`() async throws {
    let folder = try Folder()
    let file = try folder.path("jobs.db")
    _ = try await halyard("title", "--ledger", file, "not a link")
    let ended = try await halyard(
      "doctor", "--ledger", file, environment: ["XDG_STATE_HOME": try folder.path("")])
    #expect(ended.output.contains("\(file): schema 1 of 1"))
  }

  @Test func `a ledger that others can change is trouble`() async throws {
    let folder = try Folder()
    let file = try folder.path("jobs.db")
    _ = try await halyard("title", "--ledger", file, "not a link")
    #expect(unsafe chmod(file, 0o666) == 0)
    let ended = try await halyard(
      "doctor", "--ledger", file, environment: ["XDG_STATE_HOME": try folder.path("")])
    #expect(ended.status == 1)
    #expect(
      ended.output.contains("trouble  ledger       \(file)") && ended.output.contains("mode 0666"),
      "\(ended.output)")
  }

  @Test func `a named fleet that does not answer is trouble`() async throws {
    let folder = try Folder()
    let ended = try await halyard("doctor", "--fleet", try folder.path("fleet"), "--wait", "10ms")
    #expect(ended.status == 1)
    #expect(ended.output.contains("trouble  fleet        no fleet answers at "))
  }

  @Test func `few files that may be open are trouble, and doctor tells it`() async throws {
    let folder = try Folder()
    let ended = try await Child(
      ["doctor"], environment: ["XDG_STATE_HOME": try folder.path("")],
      redirection: Child.Redirection(prelude: "ulimit -n 40")
    ).ended()
    #expect(ended.status == 1)
    #expect(ended.output.contains("trouble  descriptors  40 files may be open"))
  }
}
