import Pipeline
import SQLite

/// Ready jobs of a batch, block after block, and in each host after host.
extension LedgerStore {
  func readyJobs(_ wish: ReadyWish) throws(SQLiteError) -> ReadyPage {
    guard let batch = try self.batch(wish.batch) else { return ReadyPage() }
    var choice = ReadyChoice(wish)
    var next: ReadyPlace? = wish.from
    while let place = next, !choice.isDone {
      next = try offer(place, of: batch, to: &choice)
    }
    return try choice.page(next: next) { (ids) throws(SQLiteError) in try jobs(ids) }
  }

  /// - Returns: Where it goes on; nil when there is nothing more.
  private func offer(
    _ place: ReadyPlace, of batch: LedgerBatch, to choice: inout ReadyChoice
  ) throws(SQLiteError) -> ReadyPlace? {
    let serial = Value.integer(batch.serial)
    guard let block = try block(of: batch, from: place.block) else { return nil }
    let place = block == place.block ? place : ReadyPlace(block: block)
    var (step, last) = (ReadyChoice.Step.next, place.host)
    var isDamaged = false
    choice.beginBlock()
    _ = try statements[.selections.readyInBlock].all(
      serial, .integer(block), .text(place.host), while: { step == .next && !isDamaged },
      read: { row in
        guard let host = row.text(at: 0), let id = UUIDv7(stored: row.blob(at: 1)) else {
          isDamaged = true
          return
        }
        (step, last) = (choice.offer(JobID(id), of: host), host)
      })
    guard !isDamaged else { throw .damaged("the host of a job cannot be read") }
    return switch step {
    case .next: ReadyPlace(block: block + 1)
    case .skipHost: place.after(last)
    case .stop: ReadyPlace(block: block, host: last)
    }
  }
}
