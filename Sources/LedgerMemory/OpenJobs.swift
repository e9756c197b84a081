import Pipeline

/// Jobs that are not over: by id, in the order of their ids, and how many are in which state.
struct OpenJobs {
  private var jobs: [JobID: OpenJob] = [:]
  /// The ids of all jobs, and of some that are over by now; in order unless `isMixed`.
  private var ids: [JobID] = []
  private var isMixed = false
  private(set) var counts = JobCounts()
  /// nil until someone reads the jobs of a host.
  private var lines: ReadyLines?

  subscript(id: JobID) -> OpenJob? { jobs[id] }

  func host(of id: JobID) -> String { jobs[id]?.host ?? "" }

  mutating func insert(_ open: OpenJob, host: String) {
    if ids.count > 2 * jobs.count + 1_000 { dropIDsOfOthers() }
    if let last = ids.last, last >= open.job.id { isMixed = true }
    ids.append(open.job.id)
    jobs[open.job.id] = open
    jobs[open.job.id]?.host = host
    lines?.insert(open.job.id, of: open.job.batch, host: host)
    counts.add(1, in: JobPhase(open.life.state))
  }

  /// - Returns: What the job is now; nil when it is unknown, or the event comes too late for it.
  mutating func change(_ id: JobID, holder: WorkerID? = nil, _ event: (inout JobLife) -> Bool) -> OpenJob? {
    guard var open = jobs[id] else { return nil }
    let before = open.life.state
    guard event(&open.life) else { return nil }
    open.holder = holder
    jobs[id] = open.life.isOver ? nil : open
    counts.add(-1, in: JobPhase(before))
    counts.add(1, in: JobPhase(open.life.state))
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

  /// Ready jobs of a batch and host, in the order of their ids.
  mutating func ready(of batch: BatchID, host: String, after id: JobID?, limit: Int) -> [OpenJob] {
    let ids = useLines { [jobs] lines in lines.jobs(of: batch, host: host) { jobs[$0] != nil } }
    var found: [OpenJob] = []
    for key in ids where id.map({ $0 < key }) ?? true {
      guard found.count < limit else { break }
      if let open = jobs[key], open.life.state == .ready { found.append(open) }
    }
    return found
  }

  /// Offers the ready jobs of the first block of a batch, from a place on, by host and id.
  ///
  /// - Returns: Where it goes on; nil when there is nothing more.
  mutating func offer(
    _ place: ReadyPlace, of batch: BatchID, to choice: inout ReadyChoice
  ) -> ReadyPlace? {
    if isMixed { sort() }
    let end = JobID(batch: batch, ordinal: .max)
    let rest = ids[self.place(after: JobID(batch: batch, startOf: place.block))...].prefix { $0 <= end }
    guard let first = rest.first(where: { jobs[$0]?.life.state == .ready }) else { return nil }
    let place = first.readyBlock == place.block ? place : ReadyPlace(block: first.readyBlock)
    let inBlock = rest.drop { $0 < first }.prefix { $0.readyBlock == first.readyBlock }
    let ready = inBlock.compactMap { jobs[$0] }.filter { $0.life.state == .ready && $0.host >= place.host }
    choice.beginBlock()
    for open in ready.sorted(by: { ($0.host, $0.job.id) < ($1.host, $1.job.id) }) {
      switch choice.offer(open.job.id, of: open.host) {
      case .next: continue
      case .skipHost: return place.after(open.host)
      case .stop: return ReadyPlace(block: place.block, host: open.host)
      }
    }
    return ReadyPlace(block: place.block + 1)
  }

  /// Batches that have open jobs, and some that had.
  mutating func batches() -> [BatchID] { useLines { Array($0.batches) } }

  private mutating func useLines<Answer>(_ body: (inout ReadyLines) -> Answer) -> Answer {
    var lines = lines ?? ReadyLines()
    if self.lines == nil {
      for (id, open) in jobs { lines.insert(id, of: open.job.batch, host: open.host) }
    }
    self.lines = nil
    defer { self.lines = lines }
    return body(&lines)
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

extension JobSelection {
  func contains(_ open: OpenJob) -> Bool {
    switch (self, open.life.state) {
    case (.all, _): true
    case (.of(let batch), _): open.job.batch == batch
    case (.waiting, let state): state == .waiting
    case (.ready, let state): state == .ready
    case (.leased, .leased): true
    case (.leased, _): false
    case (.scheduled(let now), .scheduled(let moment)): moment <= now
    case (.scheduled, _): false
    case (.overdue(let now), _): open.job.deadline.map { $0 <= now } ?? false
    }
  }
}
