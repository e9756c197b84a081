import Pipeline
import SQLite

/// How jobs come in: all of a submission that are new, or none of it.
extension EventCommit {
  func submit(
    _ jobs: [Job], _ hosts: [String], _ links: [LinkKey?], from sender: Address?
  ) throws(SQLiteError) -> LedgerAnswer {
    if let sender, refused.contains(sender) { return .inserted(0) }
    var new: [Job] = []
    var differing: DifferingJobs?
    for (index, job) in jobs.enumerated() {
      let host = index < hosts.count ? hosts[index] : ""
      if try insert(job, host: host, link: index < links.count ? links[index] : nil) {
        new.append(job)
      } else if try !asks(theSameAs: job) {
        differing = .sum(differing, DifferingJobs(count: 1, first: job.ordinal))
      }
    }
    if let differing {
      for job in new { try store.statements[.forgetting.job].run(job.id.uuid.stored) }
      if let sender { refused.insert(sender) }
      return .inserted(0, differing: differing)
    }
    for job in new {
      try change(try serial(of: job.batch)) { $0.add(jobOf: job.kind, at: now) }
      moved.add(1, in: JobPhase(job.firstLife.state))
    }
    // Also when none is new: who submits a batch again needs it, so it is not old.
    if new.count < jobs.count, let batch = jobs.last?.batch {
      try change(try serial(of: batch)) { $0.counters.add(jobs: 0, at: now) }
    }
    return .inserted(new.count)
  }

  /// - Returns: False when there is a job of this id.
  private func insert(_ job: Job, host: String, link: LinkKey?) throws(SQLiteError) -> Bool {
    let serial = try serial(of: job.batch)
    return try store.statements[.jobs.insert].run(
      job.id.uuid.stored, .integer(serial), .integer(Int64(bitPattern: job.ordinal)),
      .integer(job.deadline?.unixMilliseconds), .blob(JobRecord.encode(job)),
      JobPhase(job.firstLife.state).stored, .text(host), .integer(job.id.readyBlock),
      .integer(now.unixMilliseconds), .integer(link?.value)) > 0
  }

  /// Whether the ledger's job of this id does.
  private func asks(theSameAs job: Job) throws(SQLiteError) -> Bool {
    let record = try store.statements[.jobs.record].first(job.id.uuid.stored) { $0.blob(at: 0) } ?? nil
    guard let known = record.flatMap({ try? JobRecord.decode($0, of: job.id) }) else {
      throw .damaged("the record of a job cannot be read")
    }
    return known.asks(theSameAs: job)
  }
}
