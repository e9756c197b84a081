import Pipeline

/// What each job went through, over or not, as long as its row is kept.
struct Chronicle {
  fileprivate struct Entry {
    var story: JobStory
    var key: LinkKey?
    /// Of its batch.
    var serial: Int64
  }

  private var entries: [JobID: Entry] = [:]

  mutating func submitted(_ open: OpenJob, host: String, key: LinkKey?, serial: UInt64, at now: Moment) {
    let history = JobHistory(job: open.job, life: open.life, host: host, submittedAt: now)
    entries[open.job.id] = Entry(
      story: JobStory(history: history, attempts: [], row: nil), key: key, serial: Int64(clamping: serial))
  }

  mutating func forget(_ jobs: [JobID]) {
    for job in jobs { entries[job] = nil }
  }

  /// An event applied to a job.
  ///
  /// - Parameter open: What the job is now; nil when it is over.
  mutating func note(_ event: LedgerEvent, _ open: OpenJob?, at now: Moment) {
    switch event {
    case .grant(let id, _, let worker):
      change(id, open) { story in
        (story.history.grantedAt, story.history.worker) = (now, worker)
      }
    case .retry(let id, _, let moment, let cause):
      change(id, open) { $0.end(after: cause, next: moment, at: now) }
    case .crash(let id, _): change(id, open) { $0.end(after: nil, next: nil, at: now) }
    case .giveBack(let id, _):
      change(id, open) { story in
        (story.history.grantedAt, story.history.worker) = (nil, nil)
      }
    case .absolve(let id, _):
      change(id, open) { story in
        story.attempts.lastIndex { $0.failure == nil }.map { _ = story.attempts.remove(at: $0) }
      }
    case .becameDue(let id): change(id, open) { _ in }
    case .requeue(let id):
      change(id, open) { story in
        (story.attempts, story.row) = ([], nil)
        (story.history.grantedAt, story.history.worker, story.history.endedAt) = (nil, nil, nil)
        (story.history.failure, story.history.job.deadline) = (nil, nil)
      }
    case .settle(let settlement): settled(settlement, at: now)
    case .submit, .close, .terms, .pause, .unpause, .cancel, .resume, .abandon, .confirmRows, .seen: break
    }
  }

  private mutating func change(_ id: JobID, _ open: OpenJob?, _ body: (inout JobStory) -> Void) {
    guard var entry = entries[id], let open else { return }
    body(&entry.story)
    entry.story.history.life = open.life
    entries[id] = entry
  }

  private mutating func settled(_ settlement: Settlement, at now: Moment) {
    guard var entry = entries[settlement.job] else { return }
    var history = entry.story.history
    if let lease = settlement.lease, history.life.state != .leased(lease.token.unsealed) {
      (history.grantedAt, history.worker) = (nil, nil)
    }
    history.life = JobLife(
      state: .over(settlement.end), attempts: history.life.attempts, crashes: history.life.crashes)
    (history.endedAt, history.failure, history.job.deadline) = (now, settlement.failure, nil)
    (entry.story.history, entry.story.row) = (history, settlement.row)
    entries[settlement.job] = entry
  }
}

extension Chronicle {
  subscript(id: JobID) -> JobStory? { entries[id]?.story }

  /// - Parameter batch: The batch that is searched; nil for those that are listed.
  func page(_ search: JobSearch, of serial: UInt64?) -> JobPage {
    let found = entries.filter { id, entry in
      guard search.batch == nil || serial.map({ entry.serial == Int64(clamping: $0) }) ?? false else {
        return false
      }
      return entry.belongs(to: search) && entry.stands(behind: search.from, id)
    }
    let sorted = found.sorted { ($1.value.serial, $1.key) < ($0.value.serial, $0.key) }
    let page = sorted.prefix(min(max(1, search.limit), JobSearch.mostFound))
    let last = sorted.count > page.count ? page.last : nil
    return JobPage(
      page.map(\.value.story.history),
      next: last.map { JobSearch.Place(serial: $0.value.serial, through: $0.key.predecessor) })
  }

  var oldest: OldestJobs {
    var oldest = OldestJobs()
    for entry in entries.values {
      let moment = entry.story.history.submittedAt
      switch entry.story.history.life.state {
      case .waiting: oldest.waiting = min(oldest.waiting ?? moment, moment)
      case .ready: oldest.ready = min(oldest.ready ?? moment, moment)
      case .leased: oldest.leased = min(oldest.leased ?? moment, moment)
      case .scheduled: oldest.scheduled = min(oldest.scheduled ?? moment, moment)
      case .over: break
      }
    }
    return oldest
  }
}

extension Chronicle.Entry {
  fileprivate func belongs(to search: JobSearch) -> Bool {
    let history = story.history
    if search.batch == nil, history.job.batch.isPassing || history.job.batch.isOfCalls { return false }
    if let keys = search.wantedKeys, !(key.map { keys.contains($0.value) } ?? false) { return false }
    if let kind = search.kind, kind != history.job.kind { return false }
    return search.wants(
      phase: JobPhase(history.life.state), host: history.host, submittedAt: history.submittedAt)
  }

  fileprivate func stands(behind place: JobSearch.Place?, _ id: JobID) -> Bool {
    guard let place else { return true }
    guard serial == place.serial else { return serial < place.serial }
    return place.through.map { id <= $0 } ?? true
  }
}

extension JobStory {
  fileprivate mutating func end(after failure: Failure?, next moment: Moment?, at now: Moment) {
    var attempt = PastAttempt(attempt: history.life.attempts, endedAt: now, failure: failure)
    (attempt.grantedAt, attempt.worker, attempt.nextAt) = (history.grantedAt, history.worker, moment)
    attempts.removeAll { $0.attempt == attempt.attempt }
    attempts.append(attempt)
    attempts.sort { $0.attempt < $1.attempt }
    attempts.removeFirst(max(0, attempts.count - PastAttempt.mostKept))
    history.worker = nil
  }
}
