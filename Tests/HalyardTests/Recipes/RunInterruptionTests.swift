import PipelineTesting
import Testing

/// Ctrl-C and SIGTERM while a recipe runs.
@Suite(.timeLimit(.minutes(10)))
struct RunInterruptionTests {
  private static let underWay = 8
  private let site: CallSite
  private let folder: Folder

  init() throws {
    site = try CallSite(40) { $0 == nil ? .answer : .hold(0) }
    folder = try Folder()
  }

  /// A run whose first calls are held when this returns.
  private func start(_ more: String...) async throws -> Child {
    let recipe = try folder.path("calls.json", holding: CallSite.recipe())
    let child = try Child(
      ["run", recipe, "--per-host", "\(Self.underWay)", "--timeout", "120s"] + site.parameter + loopback
        + more)
    try await child.awaits(site.requests, 1 + Self.underWay, "requests")
    return child
  }

  @Test func `Ctrl-C ends a run that nothing keeps`() async throws {
    let child = try await start()
    child.interrupt()
    let end = try await child.ended()
    #expect(end.status == 130, "\(end.messages)")
    #expect(end.output.isEmpty)
    #expect(end.messages == "halyard: ending the run\nhalyard: cancelled: interrupted\n")
    #expect(site.asked.count == 1 + Self.underWay)
  }

  @Test func `SIGTERM does the same with an exit code of its own`() async throws {
    let child = try await start()
    child.terminate()
    #expect(try await child.ended().status == 143)
  }

  @Test func `with a ledger it finishes what is under way, and goes on later`() async throws {
    let ledger = try folder.path("ledger")
    let child = try await start("--ledger", ledger)
    child.interrupt()
    try await child.awaits(child.messages.lines, 1, "message")
    site.open()
    let end = try await child.ended()
    #expect(end.status == 130, "\(end.messages)")
    #expect(end.output.isEmpty)
    #expect(end.messages.hasSuffix("halyard: interrupted; the same command goes on from here\n"))
    #expect(end.messages.hasPrefix("halyard: finishing what is under way; once more to stop at once\n"))
    #expect(site.asked.count == 1 + Self.underWay)
    let again = try await start("--ledger", ledger).ended()
    #expect(again.status == 0 && again.output == CallSite.gathered(0..<40) + "\n", "\(again.messages)")
    #expect(site.asked.count == 1 + 40)
  }

  @Test func `the line of the steps gives way to messages`() async throws {
    let child = try await start("--progress", "always")
    #expect(await child.messages.holds("list ok  calls 0/40", silenceAtMost: 20))
    child.interrupt()
    let end = try await child.ended()
    #expect(end.status == 130, "\(end.messages)")
    #expect(end.messages.contains("list ok  calls 0/40\r\u{1B}[Khalyard: ending the run\n"))
    #expect(end.messages.hasSuffix("\nhalyard: cancelled: interrupted\n"))
  }
}
