import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// What signals from outside do to a fleet's processes.
@Suite(.timeLimit(.minutes(2)))
struct FleetSignalTests {
  @Test func `a hang-up ends no process of a fleet but a confined decoder, which is replaced`() async throws {
    let fleet = try await UpFleet()
    for worker in ["aggregator", "fetcher 1", "decoder 1"] {
      #expect(Foundation.kill(try fleet.up.process(of: worker), SIGHUP) == 0)
    }
    #expect(try await Child(["ping"] + fleet.words).ended().status == 0)
    try await fleet.stop()
    let restarts = fleet.up.messages.text.split(separator: "\n").filter { $0.contains("starts again") }
    #expect(restarts.allSatisfy { $0.contains(" info up ") }, "\(restarts)")
    #expect(restarts.allSatisfy { $0.contains("decoder 1 ended to read its files") }, "\(restarts)")
  }

  @Test func `a question to an aggregator that is stopped ends in time, and says what stopped`() async throws
  {
    let fleet = try await UpFleet()
    let aggregator = try fleet.up.process(of: "aggregator")
    #expect(Foundation.kill(aggregator, SIGSTOP) == 0)
    // Not for the five minutes that a command gives a fleet that has answered.
    let end = try await Child(["ledger", "size"] + fleet.words.prefix(2)).ended()
    #expect(Foundation.kill(aggregator, SIGCONT) == 0)
    #expect(end.status == 69)
    let words = "within 5s: its process \(aggregator) is stopped\ntry:   kill -CONT \(aggregator)\n"
    #expect(end.messages.hasSuffix(words), "\(end.messages)")
    #expect(await fleet.up.messages.holds("aggregator is stopped by a signal", silenceAtMost: 60))
    #expect(await fleet.up.messages.holds("aggregator goes on", silenceAtMost: 60))
    try await fleet.stop()
  }

  @Test func `a fleet that logs JSON writes nothing else`() async throws {
    let fleet = try await UpFleet(["--log-format", "json"])
    try fleet.kill("decoder 1")
    #expect(await fleet.up.messages.holds("was killed by signal 9", silenceAtMost: 60))
    try await fleet.stop()
    for line in fleet.up.messages.text.split(separator: "\n") {
      let object = try JSONDocument(parsing: Array(line.utf8)).root
      for name in ["time", "level", "role", "process", "event"] { #expect(object[name] != nil, "\(line)") }
    }
  }
}
