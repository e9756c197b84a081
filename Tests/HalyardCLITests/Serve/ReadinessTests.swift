import LinkPreviews
import Pipeline
import Posix
import Testing

@testable import HalyardCLI

/// When requests are to go elsewhere.
struct ReadinessTests {
  private final class Said: Log {
    let events = Lock<[String]>([])
    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      events.withLock { $0.append("\(message)") }
    }
  }

  @Test func `a service that fetches by itself is ready until it ends`() {
    let readiness = Readiness(needsFleet: false)
    #expect(readiness.problem == nil)
    readiness.ends()
    #expect(readiness.problem?.status == 503 && readiness.problem?.name == "ending")
  }

  @Test func `one before a fleet is ready while that does jobs, and the log says why it does none`() {
    let (readiness, log) = (Readiness(needsFleet: true), Said())
    #expect(readiness.problem?.status == 503 && readiness.problem?.name == "unavailable")
    #expect(!readiness.isHindered)
    readiness.note(nil, log)
    #expect(readiness.problem == nil && !readiness.isHindered)
    for _ in 0..<2 { readiness.note("no fleet at ipc://run/aggregator", log) }
    #expect(readiness.isHindered)
    // Where the fleet is, is for the log.
    #expect(readiness.problem?.detail == "links cannot be fetched now")
    readiness.note(nil, log)
    #expect(log.events.value == ["the fleet does no jobs", "the fleet does jobs again"])
    readiness.ends()
    #expect(readiness.problem?.name == "ending")
  }

  @Test func `a fleet that refuses jobs, or is paused, does none`() throws {
    func hindrance(_ json: String) throws -> String? { try StatusText(Array(json.utf8)).hindrance }
    #expect(try hindrance(#"{"health":"degraded","reason":"1 stranger","ready":true}"#) == nil)
    #expect(try hindrance(#"{"reason":"no fetcher","ready":false}"#) == "no fetcher")
    let paused = try hindrance(#"{"ready":true,"paused":[{"all":true,"by":"ann@box"}]}"#)
    #expect(paused?.contains("paused") == true)
  }
}
