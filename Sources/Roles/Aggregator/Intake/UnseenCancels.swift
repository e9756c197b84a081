import Pipeline
import Scheduling

/// Single jobs that are to be cancelled and that memory does not hold. Wishes beyond the bound are dropped, because
/// producers repeat theirs.
struct UnseenCancels: Sendable {
  struct Wish: Sendable {
    var batch: BatchID
    var ordinal: UInt64
    var cause: String
  }

  static let most = 10_000
  /// Jobs that one turn looks for.
  static let mostInTurn = 256

  private var wishes: [JobID: Wish] = [:]

  var isEmpty: Bool { wishes.isEmpty }

  mutating func add(_ id: JobID, _ wish: Wish) {
    guard wishes.count < Self.most else { return }
    wishes[id] = wishes[id] ?? wish
  }

  /// As many as a turn looks for, in the order of their ids.
  mutating func take() -> [(id: JobID, wish: Wish)] {
    let taken = wishes.keys.sorted().prefix(Self.mostInTurn)
    return taken.compactMap { id in wishes.removeValue(forKey: id).map { (id, $0) } }
  }
}

extension Aggregator {
  /// Ends the jobs that wait in the ledger. Those that were read meanwhile end as others in memory do.
  func endUnseenCancels(_ transaction: inout Transaction, at now: Moment) async throws {
    var wishes = unseenCancels.take()[...]
    while let first = wishes.first {
      let (batch, start) = (first.wish.batch, first.wish.ordinal)
      let row = wishes.enumerated().prefix { index, next in
        next.wish.batch == batch && next.wish.ordinal &- start == UInt64(index)
      }.map(\.element)
      wishes = wishes.dropFirst(row.count)
      guard isOurs(batch) else { continue }
      let before = start == 0 ? nil : JobID(batch: batch, ordinal: start - 1)
      let causes = Dictionary(row.map { ($0.id, $0.wish.cause) }) { first, _ in first }
      let query = JobQuery(.of(batch), after: before, limit: row.count)
      for open in try await read({ try await $0.page(query).items }) {
        guard let cause = causes[open.job.id], open.job.kind != .run else { continue }
        if let entry = dispatcher.jobs[open.job.id] {
          end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
        } else {
          endUnseen(open, .cancelled, .cancelled(cause), &transaction, at: now)
        }
      }
    }
  }
}
