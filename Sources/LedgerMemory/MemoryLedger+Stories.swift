package import Pipeline

/// What became of jobs.
extension MemoryLedger {
  package func story(of id: JobID) -> JobStory? {
    guard let job = jobs[id] else { return nil }
    return JobStory(
      history: job.history(failure(of: job)), attempts: job.attempts,
      row: job.row.flatMap { batches[job.job.batch]?.json(ofRow: $0) })
  }

  package func jobs(_ search: JobSearch) -> JobPage {
    let serial = search.batch.map { batches[$0]?.serial }
    let found = jobs.all.filter { job in
      if let serial, job.serial != serial { return false }
      return belongs(job, to: search) && stands(job, behind: search.from)
    }
    let sorted = found.sorted { ($1.serial, $1.job.id) < ($0.serial, $0.job.id) }
    let page = sorted.prefix(max(1, search.limit))
    let last = sorted.count > page.count ? page.last : nil
    return JobPage(
      page.map { $0.history(failure(of: $0)) },
      next: last.map {
        JobSearch.Place(serial: Int64(clamping: $0.serial), through: $0.job.id.predecessor)
      })
  }

  private func belongs(_ job: MemoryJob, to search: JobSearch) -> Bool {
    if search.batch == nil, job.job.batch.isPassing || job.job.batch.isOfCalls { return false }
    if let keys = search.wantedKeys, !(job.key.map { keys.contains($0.value) } ?? false) { return false }
    if let kind = search.kind, kind != job.job.kind { return false }
    return search.wants(phase: job.phase, host: job.host, submittedAt: job.submittedAt)
  }

  private func stands(_ job: MemoryJob, behind place: JobSearch.Place?) -> Bool {
    guard let place else { return true }
    guard job.serial == UInt64(clamping: place.serial) else {
      return job.serial < UInt64(clamping: place.serial)
    }
    return place.through.map { job.job.id <= $0 } ?? true
  }

  package func oldestJobs() -> OldestJobs {
    func first(_ phase: JobPhase) -> Moment? {
      jobs.all.filter { $0.phase == phase }.map(\.submittedAt).min()
    }
    var oldest = OldestJobs()
    (oldest.waiting, oldest.ready) = (first(.waiting), first(.ready))
    (oldest.leased, oldest.scheduled) = (first(.leased), first(.scheduled))
    return oldest
  }
}
