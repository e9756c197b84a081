import Pipeline

/// Runs jobs that workers died on one at a time, each on a fetcher that does nothing else meanwhile.
struct SoloRun: Sendable {
  private var suspects = FIFO<JobID>()
  /// Jobs that each fetcher is on.
  private var loads: [WorkerID: Int] = [:]
  /// Gets nothing else until the next suspect has been on it.
  private var reserved: WorkerID?
  private var running: JobID?

  var count: Int { suspects.count }

  func isReserved(_ worker: WorkerID) -> Bool { worker == reserved }

  mutating func add(_ suspect: JobID) {
    suspects.append(suspect)
  }

  /// The next suspect and its fetcher, once that one is idle; until then the least busy fetcher is kept free.
  mutating func next(
    where isWanted: (JobID) -> Bool, among fetchers: some Collection<WorkerID>
  ) -> (job: JobID, worker: WorkerID)? {
    while let unwanted = suspects.first, !isWanted(unwanted) { _ = suspects.popFirst() }
    guard running == nil, let job = suspects.first else {
      if running == nil { reserved = nil }
      return nil
    }
    guard let worker = reserved ?? fetchers.min(by: { loads[$0, default: 0] < loads[$1, default: 0] }) else {
      return nil
    }
    reserved = worker
    guard loads[worker, default: 0] == 0, fetchers.contains(worker) else { return nil }
    _ = suspects.popFirst()
    running = job
    return (job, worker)
  }

  mutating func began(_ job: JobID, at worker: WorkerID) {
    loads[worker, default: 0] += 1
  }

  mutating func ended(_ job: JobID, at worker: WorkerID) {
    if let load = loads[worker] { loads[worker] = max(0, load - 1) }
    guard job == running else { return }
    (running, reserved) = (nil, nil)
  }

  mutating func left(_ worker: WorkerID) {
    loads[worker] = nil
    if worker == reserved, running == nil { reserved = nil }
  }
}
