import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// What is known of batches without reading the file.
@Suite(.timeLimit(.minutes(10)))
struct NewestBatchesTests {
  private let file: LedgerFileFixture

  init() throws {
    file = try LedgerFileFixture()
  }

  private func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 7, low: number << 40)) }

  private func job(_ number: UInt64) -> Job {
    Job(batch: batch(number), ordinal: 0, kind: .title, input: nil)
  }

  @Test func `how the ledger and a batch are is told while its thread is at a commit`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit([job(1)])], at: file.now)
    let (begun, gate) = (try Permits(0), try Permits(0))
    let never = try StopSignal()
    let commit = Task {
      try await ledger.use("write") { _ in
        begun.giveBack()
        _ = try? gate.take(unless: never)
      }
    }
    _ = try begun.take(unless: never)
    #expect(try await ledger.summary(batches: 20).batches.map(\.id) == [batch(1)])
    #expect(try await ledger.summary(batches: 0).jobs.ready == 1)
    #expect(try await ledger.progress(of: batch(1))?.settled == 0)
    gate.giveBack()
    try await commit.value
    await ledger.close()
    await #expect(throws: LedgerError.self) { try await ledger.summary(batches: 20) }
    await #expect(throws: LedgerError.self) { try await ledger.progress(of: batch(1)) }
  }

  @Test func `it is what the file says, however many batches come and go`() async throws {
    var ledger = try await file.open()
    let count = UInt64(LedgerStore.mostNewest) + 20
    for number in 1...count {
      let job = job(number)
      var events: [LedgerEvent] = [
        .submit([job]),
        .submit([Job(batch: .passing(batch(number).uuid), ordinal: 0, kind: .echo, input: nil)]),
      ]
      if number.isMultiple(of: 2) { events += [.settle(file.end(of: job)), .close(batch(number), total: 1)] }
      if number > 3 {
        events.append(.cancel(batch(number - 3), BatchCancellation(cause: "x", everything: true)))
      }
      _ = try await ledger.commit(events, at: file.now.advanced(byMilliseconds: Int64(number)))
      try await expectAsInFile(ledger)
    }
    let later = file.now.advanced(byMilliseconds: Int64(count) + 1)
    #expect(try await ledger.forget(.old(unreadBefore: later), before: later, limit: 12) == 12)
    try await expectAsInFile(ledger)
    await ledger.close()
    ledger = try await file.open()
    try await expectAsInFile(ledger)
    await ledger.close()
  }

  private func expectAsInFile(_ ledger: SQLiteLedger) async throws {
    let most = LedgerStore.mostNewest
    let stored = try await ledger.use("read") { store in
      try store.statements.summary(batches: most, of: store.summary.jobs)
    }
    #expect(try await ledger.summary(batches: most) == stored)
  }
}
