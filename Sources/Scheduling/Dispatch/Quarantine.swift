import Pipeline

/// Runs jobs that workers died on one at a time, each on a fetcher that does nothing else meanwhile.
struct Quarantine: Sendable {
  typealias HostAvailability = HostQueue<Dispatcher.Waiter>.Availability

  private var suspects = FIFO<JobID>()
  /// Suspects whose hosts pause: no fetcher is kept free for them.
  private var pausing = MinHeap<Moment, JobID>()
  /// When the host may be asked that the reserved fetcher waits for.
  private var pauseEnd: Moment?
  /// Jobs that each fetcher is on.
  private var loads: [WorkerID: Int] = [:]
  /// Gets nothing else until the next suspect has been on it.
  private var reserved: WorkerID?
  private var running: JobID?

  var count: Int { suspects.count + pausing.count }

  /// When to ask for the next again without anything having happened; nil when nothing waits for time.
  var nextWake: Moment? { [pauseEnd, pausing.first?.key].compactMap { $0 }.min() }

  func isReserved(_ worker: WorkerID) -> Bool { worker == reserved }

  mutating func add(_ suspect: JobID) {
    suspects.append(suspect)
  }

  /// The next suspect and its fetcher, once that one is idle and its host may be asked; until then the least busy
  /// fetcher is kept free.
  mutating func next(
    where isWanted: (JobID) -> Bool, among fetchers: some Collection<WorkerID>,
    at now: Moment, availability: (JobID) -> HostAvailability
  ) -> (job: JobID, worker: WorkerID)? {
    pauseEnd = nil
    while let due = pausing.first, due.key <= now {
      _ = pausing.popFirst()
      suspects.append(due.value)
    }
    guard running == nil else { return nil }
    guard let job = first(where: isWanted, availability: availability) else {
      reserved = nil
      return nil
    }
    guard
      let worker = reserved ?? fetchers.min(by: { (loads[$0, default: 0], $0) < (loads[$1, default: 0], $1) })
    else { return nil }
    reserved = worker
    guard loads[worker, default: 0] == 0, fetchers.contains(worker) else { return nil }
    if case .soon(let moment) = availability(job) {
      pauseEnd = moment
      return nil
    }
    _ = suspects.popFirst()
    running = job
    return (job, worker)
  }

  /// The first suspect that is wanted and whose host may be asked now or soon.
  private mutating func first(where isWanted: (JobID) -> Bool, availability: (JobID) -> HostAvailability)
    -> JobID?
  {
    while let suspect = suspects.first {
      if isWanted(suspect) {
        guard case .later(let moment) = availability(suspect) else { return suspect }
        pausing.insert(suspect, at: moment)
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
