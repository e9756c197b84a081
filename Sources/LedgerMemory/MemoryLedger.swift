public import Pipeline

/// The ledger of one-shot runs and tests. It forgets a job when its row has been confirmed, so it stays as small
/// as what is under way.
public actor MemoryLedger: Ledger {
  private var jobs: [JobID: OpenJob] = [:]
  private var batches: [BatchID: Batch] = [:]
  /// Jobs whose rows are kept: submitting them again must not run them again.
  private var over: Set<JobID> = []

  private struct Batch {
    var total: UInt64?
    var rows = FIFO<(job: JobID, row: NumberedRow)>()
    var confirmed: UInt64 = 0

    var lastNumber: UInt64 { confirmed + UInt64(rows.count) }
  }

  public init() {}

  public func commit(_ events: [LedgerEvent], at now: Moment) -> [LedgerAnswer] {
    events.map { apply($0) }
  }

  public func openJobs(after id: JobID?, limit: Int) -> [OpenJob] {
    let keys = jobs.keys.filter { key in id.map { key > $0 } ?? true }
    return keys.sorted().prefix(limit).compactMap { jobs[$0] }
  }

  public func rows(of batch: BatchID, after number: UInt64, limit: Int) -> [NumberedRow] {
    guard let batch = batches[batch], number < batch.lastNumber else { return [] }
    let skipped = Int(clamping: number - min(number, batch.confirmed))
    return batch.rows.elements(from: skipped, atMost: limit).map(\.row)
  }

  public func progress(of batch: BatchID) -> BatchProgress? {
    batches[batch].map { BatchProgress(total: $0.total, rows: $0.lastNumber) }
  }

  private func apply(_ event: LedgerEvent) -> LedgerAnswer {
    switch event {
    case .submit(let new): return .inserted(new.count { insert($0) })
    case .close(let batch, let total):
      batches[batch, default: Batch()].total = total
      return .applied
    case .grant(let id, let lease, to: _): return change(id) { $0.granted(lease) }
    case .settle(let settlement): return settle(settlement)
    case .retry(let id, let token, let moment, cause: _):
      return change(id) { $0.failedForNow(under: token, retryAt: moment) }
    case .becameDue(let id): return change(id) { $0.becameDue() }
    case .giveBack(let id, let token): return change(id) { $0.returned(under: token) }
    case .crash(let id, let token): return change(id) { $0.crashed(under: token) }
    case .confirmRows(let batch, let number): return confirm(batch, upTo: number)
    }
  }

  private func insert(_ job: Job) -> Bool {
    guard jobs[job.id] == nil, !over.contains(job.id) else { return false }
    jobs[job.id] = OpenJob(job: job, life: JobLife())
    if batches[job.batch] == nil { batches[job.batch] = Batch() }
    return true
  }

  private func change(_ id: JobID, _ event: (inout JobLife) -> Bool) -> LedgerAnswer {
    guard var life = jobs[id]?.life, event(&life) else { return .stale }
    jobs[id]?.life = life
    return .applied
  }

  private func settle(_ settlement: Settlement) -> LedgerAnswer {
    guard let open = jobs[settlement.job] else { return .stale }
    var life = open.life
    let applies = settlement.lease.map { life.ended(settlement.end, under: $0) } ?? life.ended(settlement.end)
    guard applies else { return .stale }
    jobs[settlement.job] = nil
    over.insert(settlement.job)
    append(settlement, of: open.job)
    return .applied
  }

  private func append(_ settlement: Settlement, of job: Job) {
    let number = (batches[job.batch]?.lastNumber ?? 0) + 1
    let row = NumberedRow(
      number: number, ordinal: job.ordinal, failure: settlement.failure, json: settlement.row)
    batches[job.batch, default: Batch()].rows.append((job.id, row))
  }

  private func confirm(_ id: BatchID, upTo number: UInt64) -> LedgerAnswer {
    guard let batch = batches[id], number > batch.confirmed, number <= batch.lastNumber else { return .stale }
    for _ in batch.confirmed..<number {
      if let dropped = batches[id]?.rows.popFirst() { over.remove(dropped.job) }
    }
    batches[id]?.confirmed = number
    return .applied
  }
}
