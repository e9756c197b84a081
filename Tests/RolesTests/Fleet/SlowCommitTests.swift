import Assembly
import HalyardConcurrency
import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportInProcess

@testable import Roles

/// What a fleet does while its ledger is at a commit that takes long.
@Suite(.timeLimit(.minutes(10)))
struct SlowCommitTests {
  private let drafts = [JobDraft(kind: .echo, input: "echo:1")]

  @Test func `how the fleet and a batch are is answered while a commit is under way`() async throws {
    let ledger = HeldLedger()
    try await TestPipeline(.framed, ledger: ledger).withFleet(over: ScriptedFetching([:])) { fleet in
      let (batch, drafts) = (fleet.newBatch(), drafts)
      async let submitted = fleet.submit(drafts, as: batch)
      try await ledger.holds()
      let client = try await fleet.client(timeoutMilliseconds: 20_000)
      _ = try await client.ask(StatusQuestion()).bytes
      // Nothing of what is not committed yet is seen.
      #expect(try await client.progress(of: batch) == nil)
      _ = try await client.ask(StatusQuestion()).bytes
      #expect(await ledger.submissions == 1)
      await ledger.release()
      #expect(try await submitted == 1)
      #expect(try await client.progress(of: batch)?.total == 1)
    }
  }

  @Test func `a redirect to another host waits for no commit`() async throws {
    let (ledger, asked, mayAnswer) = (
      HeldLedger(), TaskChannel<String>(capacity: .unbounded), TaskChannel<Void>(capacity: .unbounded)
    )
    let fetching = ScriptedFetching { request in
      _ = try? asked.offer(request.url)
      guard request.url == "http://sho.rt/" else { return .success(.page("<title>There</title>")) }
      _ = try? await mayAnswer.receive()
      return .success(.redirect(to: "http://page.test/"))
    }
    await ledger.release()
    try await TestPipeline(.framed, ledger: ledger).withFleet(over: fetching) { fleet in
      let (batches, drafts) = ([fleet.newBatch(), fleet.newBatch()], drafts)
      let short = [JobDraft(kind: .title, input: "http://sho.rt/")]
      #expect(try await fleet.submit(short, as: batches[0]) == 1)
      #expect(try await asked.receive() == "http://sho.rt/")
      await ledger.hold()
      async let second = fleet.submit(drafts, as: batches[1], name: "another")
      try await ledger.holds()
      _ = try mayAnswer.offer(())
      #expect(try await asked.receive() == "http://page.test/")
      await ledger.release()
      #expect(try await second == 1)
      let client = try await fleet.client(timeoutMilliseconds: 20_000)
      #expect(try await client.copy(RowCopies(of: batches[0], follows: true)) { _ in } != nil)
    }
  }

  @Test func `what else comes during a commit waits for its end, and is done then`() async throws {
    let ledger = HeldLedger()
    try await TestPipeline(.framed, ledger: ledger).withFleet(over: ScriptedFetching([:])) { fleet in
      let (batches, drafts) = ([fleet.newBatch(), fleet.newBatch()], drafts)
      async let first = fleet.submit(drafts, as: batches[0])
      try await ledger.holds()
      async let second = fleet.submit(drafts, as: batches[1], name: "another")
      let client = try await fleet.client(timeoutMilliseconds: 20_000)
      for _ in 0..<20 { _ = try await client.ask(StatusQuestion()).bytes }
      #expect(await ledger.submissions == 1)
      await ledger.release()
      #expect(try await first == 1)
      #expect(try await second == 1)
      for batch in batches {
        #expect(try await client.copy(RowCopies(of: batch, follows: true)) { _ in } != nil)
      }
    }
  }

  @Test func `a loop whose commit is held up does not turn, whatever comes meanwhile`() async throws {
    let (ledger, clock, turns) = (HeldLedger(), SystemClock(), Lock(0))
    let ports = RolePorts(transport: InProcessTransport(clock: clock), clock: clock, random: .seeded(7))
    let inbox = try await ports.transport.bind(Address("inproc://aggregator"))
    let aggregator = Aggregator(
      settings: .init(), inbox: inbox, ledger: ledger, ports: ports,
      turning: { turns.withLock { $0 += 1 } })
    let fleet = TestFleet(ports: ports, aggregator: inbox.address)
    let (batch, drafts) = (fleet.newBatch(), drafts)
    try await withTaskScope { scope in
      defer { scope.cancel() }
      try await scope.start { try await aggregator.run() }
      async let submitted = fleet.submit(drafts, as: batch)
      try await ledger.holds()
      let before = turns.withLock { $0 }
      let client = try await fleet.client(timeoutMilliseconds: 20_000)
      for _ in 0..<20 { _ = try await client.ask(StatusQuestion()).bytes }
      #expect(turns.withLock { $0 } == before)
      await ledger.release()
      #expect(try await submitted == 1)
      _ = try await client.ask(StatusQuestion()).bytes
      #expect(turns.withLock { $0 } > before)
    }
  }
}
