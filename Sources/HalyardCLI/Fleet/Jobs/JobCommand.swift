import JSONQuery
import Links
import Pipeline
import Posix
import Roles

/// The command `job`: one job by its id, or those of a link.
struct JobCommand {
  /// Jobs of a link that are counted.
  private static let mostCounted = 1_000

  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  private var text: String { arguments.operands[0] }

  func run() async throws -> ExitCode {
    guard let id = UUIDv7(text) else {
      do throws(LinkError) {
        _ = try WebURL.userInput(text)
      } catch {
        throw InputError(text, "this is neither the id of a job nor a link: \(error.message)")
      }
      return try await fleet.withLink { try await show(jobsOf: text, $0.client) }
    }
    return try await fleet.withLink { link in
      guard let story = try await link.client.ask(JobQuestion(JobID(id)))?.bytes else {
        throw InputError(text, "the fleet has no job of this id; 'halyard jobs' lists those that it has")
      }
      return try show(story)
    }
  }

  private func show(jobsOf address: String, _ client: FleetClient) async throws -> ExitCode {
    var pages = ListPages(JobListing(JobSearch(), link: address), limit: Self.mostCounted, from: client)
    let most = arguments[JobOption.stories]
    var (shown, others) = (0, 0)
    while let lines = try await pages.next() {
      for line in lines {
        guard shown < most else {
          others += 1
          continue
        }
        guard let id = try JSONDocument(parsing: line).root["id"]?.string.flatMap({ UUIDv7($0) }),
          let story = try await client.ask(JobQuestion(JobID(id)))?.bytes
        else { continue }
        if shown > 0, !arguments[FleetOption.json] { try DescriptorSink().write([UInt8(ascii: "\n")]) }
        try show(story)
        shown += 1
      }
    }
    guard shown > 0 else {
      throw InputError(
        text, "the fleet has no job of this link; 'halyard jobs --host HOST' lists those of a host")
    }
    guard others > 0 || pages.mayHaveMore else { return .ok }
    let count = "\(pages.mayHaveMore ? "at least " : "")\(others)"
    Message.show(
      "halyard: \(count) more \(others == 1 ? "job has" : "jobs have") this link; show them with --limit\n")
    return .ok
  }

  @discardableResult
  private func show(_ story: [UInt8]) throws -> ExitCode {
    try arguments.show(
      json: story + [UInt8(ascii: "\n")], lines: JobText(job: JSONDocument(parsing: story).root).lines)
  }
}
