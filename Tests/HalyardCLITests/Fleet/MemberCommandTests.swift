import Pipeline
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
    (["fetchers", "0"], "'0' is not a number from 1 to 1000"),
    (["decoders", "many"], "'many' is not a number from 1 to 1000"),
    (["decoders", "1", "2"], "unexpected argument '2'"), ([], "no role given"),
  ])
  func `a fleet is scaled to a number of workers of a role`(words: [String], problem: String) throws {
    let error = #expect(throws: UsageError.self) {
      guard case .run(let arguments) = try Invocation.parse(["scale"] + words, environment: [:]) else {
        return
      }
      _ = try ScaleCommand(arguments, environment: [:])
    }
    #expect(error?.rendered.hasPrefix("halyard: \(problem)\n") == true)
  }
}
