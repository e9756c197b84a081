import Pipeline
import Posix
import Testing

@testable import HalyardCLI

/// Commands that change who works in a fleet.
@Suite struct MemberCommandTests {
  private static let status = Array(
    #"""
    {"workers":[{"id":"019a3c7e-0000-7000-8000-00000000ab12","role":"fetcher","locality":"a"},\#
    {"id":"019a3c7e-0000-7000-8000-00000000cd34","role":"decoder","locality":"b"}]}
    """#.utf8)

  @Test(arguments: [
    ("019a3c7e-0000-7000-8000-00000000ab12", "fetcher"), ("AB12", "fetcher"), ("00cd34", "decoder"),
  ])
  func `a worker is found by its id or an end of it`(text: String, role: String) throws {
    #expect(try FleetWorker(text, in: Self.status).role == role)
  }

  @Test(arguments: [
    ("ab13", "the fleet has no worker with this id"),
    ("019a3c7e", "the ids of 2 workers begin or end like this; give more of it: fetcher 019a3c7e-0000"),
  ])
  func `what names no worker or several is an error`(text: String, problem: String) {
    let error = #expect(throws: InputError.self) { try FleetWorker(text, in: Self.status) }
    #expect(error?.problem.hasPrefix(problem) == true)
  }

  @Test(arguments: [
    (["producers", "3"], "'producers' is neither fetchers nor decoders"), (["fetchers"], "no number given"),
    (["fetchers", "0"], "'0' is not a number from 1 to "),
    (["decoders", "many"], "'many' is not a number from 1 to "),
    (["fetchers", "1001"], "1001 are too many: a machine with "),
    (["decoders", "1", "2"], "unexpected argument '2'"), ([], "no role given"),
  ])
  func `a fleet is scaled to a number of workers of a role`(words: [String], problem: String) throws {
    let error = #expect(throws: UsageError.self) {
      guard case .run(let arguments) = try Invocation.parse(["scale"] + words, environment: [:]) else {
        return
      }
      _ = try ScaleCommand(arguments)
    }
    #expect(error?.rendered.hasPrefix("halyard: \(problem)") == true)
  }

  @Test(
    arguments: [
      (32, 2, nil), (33, 2, "33 are too many: a machine with 2 processors may run 32 of a role"),
      (17, 1, "17 are too many: a machine with 1 processor may run 16 of a role"),
      (1_000, 64, nil), (1_001, 64, "1001 are too many: a machine with 64 processors may run 1000 of a role"),
    ] as [(Int, Int, String?)])
  func `a machine runs so many workers of a role as its processors can use`(
    count: Int, processors: Int, problem: String?
  ) {
    #expect(ScaleCommand.problem(of: count, processors: processors) == problem)
  }

  @Test(.enabled(if: processors < 60))
  func `a fleet does not start with too many workers`() throws {
    guard case .run(let arguments) = try Invocation.parse(["up", "--decoders", "1000"], environment: [:])
    else {
      return
    }
    let error = #expect(throws: UsageError.self) { try UpCommand(arguments) }
    #expect(error?.rendered.hasPrefix("halyard: option '--decoders': 1000 are too many: ") == true)
  }
}
