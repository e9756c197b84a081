import Pipeline

/// Runs jobs that workers died on one at a time, each on a fetcher that does nothing else meanwhile.
struct SoloRun: Sendable {
  typealias HostTurn = HostQueue<Dispatcher.Waiter>.Turn

  private var suspects = FIFO<JobID>()
  /// Suspects whose hosts asked for peace: no fetcher is kept free for them.
  private var resting = MinHeap<Moment, JobID>()
  /// When the host may be asked that the reserved fetcher waits for.
  private var pauseEnd: Moment?
  /// Jobs that each fetcher is on.
  private var loads: [WorkerID: Int] = [:]
  /// Gets nothing else until the next suspect has been on it.
  private var reserved: WorkerID?
  private var running: JobID?

  var count: Int { suspects.count + resting.count }

  /// When to ask for the next again without anything having happened; nil when nothing waits for time.
  var nextWake: Moment? { [pauseEnd, resting.first?.key].compactMap { $0 }.min() }

  func isReserved(_ worker: WorkerID) -> Bool { worker == reserved }

  mutating func add(_ suspect: JobID) {
    suspects.append(suspect)
  }

  /// The next suspect and its fetcher, once that one is idle and the host has its turn for it; until then the least busy
  /// fetcher is kept free.
  mutating func next(
    where isWanted: (JobID) -> Bool, among fetchers: some Collection<WorkerID>,
    at now: Moment, turn: (JobID) -> HostTurn
  ) -> (job: JobID, worker: WorkerID)? {
    pauseEnd = nil
    while let rested = resting.first, rested.key <= now {
      _ = resting.popFirst()
      suspects.append(rested.value)
    }
    guard running == nil else { return nil }
    guard let job = first(where: isWanted, turn: turn) else {
      reserved = nil
      return nil
    }
    guard
      let worker = reserved ?? fetchers.min(by: { (loads[$0, default: 0], $0) < (loads[$1, default: 0], $1) })
    else { return nil }
    reserved = worker
    guard loads[worker, default: 0] == 0, fetchers.contains(worker) else { return nil }
    if case .soon(let moment) = turn(job) {
      pauseEnd = moment
      return nil
    }
    _ = suspects.popFirst()
    running = job
    return (job, worker)
  }

  /// The first suspect that is wanted and whose host may be asked now or soon.
  private mutating func first(where isWanted: (JobID) -> Bool, turn: (JobID) -> HostTurn) -> JobID? {
    while let suspect = suspects.first {
      if isWanted(suspect) {
        guard case .later(let moment) = turn(suspect) else { return suspect }
        resting.insert(suspect, at: moment)
      }
      _ = suspects.popFirst()
    }
    return nil
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
