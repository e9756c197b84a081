import Pipeline

/// The leases that were taken back before they were answered: a success that comes late under one of them still counts.
/// Bounded, the oldest are forgotten first; their jobs have long been done by others. A pure value.
struct PastLeases: Sendable {
  private let most: Int
  private var jobs: [LeaseToken: JobID] = [:]
  private var order = FIFO<LeaseToken>()

  init(most: Int = 1 << 16) {
    self.most = most
  }

  subscript(token: LeaseToken) -> JobID? { jobs.isEmpty ? nil : jobs[token] }

  mutating func add(_ token: LeaseToken, of job: JobID) {
    if jobs.updateValue(job, forKey: token) == nil { order.append(token) }
    while order.count > most, let oldest = order.popFirst() { jobs[oldest] = nil }
  }
}
