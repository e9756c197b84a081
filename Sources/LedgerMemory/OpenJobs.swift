import Pipeline

/// Jobs that are not over: by id, in the order of their ids, and how many are in which state.
struct OpenJobs {
  private var jobs: [JobID: OpenJob] = [:]
  /// The ids of all jobs, and of some that are over by now; in order unless `isMixed`.
  private var ids: [JobID] = []
  private var isMixed = false
  private(set) var counts = JobCounts()

  subscript(id: JobID) -> OpenJob? { jobs[id] }

  mutating func insert(_ open: OpenJob) {
    if ids.count > 2 * jobs.count + 1_000 { dropIDsOfOthers() }
    if let last = ids.last, last >= open.job.id { isMixed = true }
    ids.append(open.job.id)
    jobs[open.job.id] = open
    counts.add(1, in: open.life.state)
  }

  /// - Returns: What the job is now; nil when nobody knows it, or the event comes too late for it.
  mutating func change(_ id: JobID, holder: WorkerID? = nil, _ event: (inout JobLife) -> Bool) -> OpenJob? {
    guard var open = jobs[id] else { return nil }
    let before = open.life.state
    guard event(&open.life) else { return nil }
    open.holder = holder
    jobs[id] = open.life.isOver ? nil : open
    counts.add(-1, in: before)
    counts.add(1, in: open.life.state)
    return open
  }

  mutating func page(after id: JobID?, limit: Int, where belongs: (OpenJob) -> Bool) -> [OpenJob] {
    if isMixed { sort() }
    var page: [OpenJob] = []
    for key in ids[place(after: id)...] {
      guard page.count < limit else { break }
      if let open = jobs[key], belongs(open) { page.append(open) }
    }
    return page
  }

  private mutating func dropIDsOfOthers() {
    ids.removeAll { jobs[$0] == nil }
  }

  private mutating func sort() {
    ids = jobs.keys.sorted()
    isMixed = false
  }

  private func place(after id: JobID?) -> Int {
    guard let id else { return 0 }
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = low + (high - low) / 2
      if ids[middle] > id { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension JobCounts {
  fileprivate mutating func add(_ difference: Int, in state: JobLife.State) {
    switch state {
    case .waiting: waiting += difference
    case .ready: ready += difference
    case .leased: leased += difference
    case .scheduled: scheduled += difference
    case .over: break
    }
  }
}
