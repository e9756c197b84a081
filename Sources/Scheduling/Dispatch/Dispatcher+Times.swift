package import Pipeline

/// When jobs are tried again, and when they have to be over.
extension Dispatcher {
  /// Jobs whose retry is due; they are queued again.
  package mutating func dueRetries(at now: Moment) -> [JobID] {
    var due: [JobID] = []
    guard !isDraining else { return due }
    while let first = retries.first, first.key <= now {
      _ = retries.popFirst()
      guard let entry = jobs[first.value], entry.place == .scheduled else { continue }
      jobs[first.value]?.place = .queued
      queue(first.value, entry, at: now)
      due.append(first.value)
    }
    return due
  }

  /// Most jobs are over long before their deadline; those are forgotten when they are the greater part.
  mutating func watch(_ id: JobID, until deadline: Moment) {
    if deadlines.count > 2 * jobs.count + 64 { deadlines.removeAll { jobs[$0] == nil } }
    deadlines.insert(id, at: deadline)
  }

  /// Jobs whose deadline has passed. A worker that is on one knows it too, and gets the time to say how far it came.
  package mutating func overdue(at now: Moment) -> [Entry] {
    var overdue: [Entry] = []
    while let first = deadlines.first, first.key <= now {
      _ = deadlines.popFirst()
      guard let entry = jobs[first.value] else { continue }
      if case .leased = entry.place, let deadline = entry.job.deadline, now < Self.graceEnd(of: deadline) {
        deadlines.insert(first.value, at: Self.graceEnd(of: deadline))
      } else {
        overdue.append(entry)
      }
    }
    return overdue
  }

  private static func graceEnd(of deadline: Moment) -> Moment {
    deadline.advanced(byMilliseconds: 200)
  }
}
