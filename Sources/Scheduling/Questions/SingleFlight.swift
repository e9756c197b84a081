import Links
import Pipeline

/// Single flight: jobs that ask for the same thing at the same time are done once, and the others get a copy.
struct SingleFlight: Sendable {
  private struct Waiter: Sendable {
    let id: JobID
    let batch: BatchID
    let host: String
  }

  private var leaders: [Question: JobID] = [:]
  private var questions: [JobID: Question] = [:]
  private var waiters: [JobID: [Waiter]] = [:]
  private var counts = WaiterCounts()
  private let mostWaiters: Int

  /// - Parameter mostWaiters: Over all links. A host may have as many as places are left, so those of one fill
  ///   half of them and leave the others to further hosts.
  init(mostWaiters: Int = .max) {
    self.mostWaiters = mostWaiters
  }

  var count: Int { max(leaders.count, questions.count, waiters.count) }
  var waiterCount: Int { counts.all }

  /// - Returns: The job that is asking the same already; nil when this one does the asking from now on.
  mutating func join(_ job: Job, link: WebURL? = nil, host: String) -> JobID? {
    guard let question = Question(job, link: link) else { return nil }
    if let leader = leaders[question] {
      let waiter = Waiter(id: job.id, batch: job.batch, host: host)
      waiters[leader, default: []].append(waiter)
      counts.add(1, of: waiter.batch, host: waiter.host)
      return leader
    }
    leaders[question] = job.id
    questions[job.id] = question
    return nil
  }

  func waiters(of leader: JobID) -> [JobID] {
    waiters[leader]?.map(\.id) ?? []
  }

  /// Jobs for whose rows others wait.
  var leadersWithWaiters: [JobID] { waiters.keys.filter { waiters[$0]?.isEmpty == false }.sorted() }

  /// A waiter will not wait any longer.
  mutating func left(_ waiter: JobID, _ leader: JobID) {
    guard let place = waiters[leader]?.firstIndex(where: { $0.id == waiter }) else { return }
    if let gone = waiters[leader]?.remove(at: place) { leave([gone]) }
  }

  /// - Returns: The first waiters, who do not wait any longer.
  mutating func left(first count: Int, of leader: JobID) -> [JobID] {
    let gone = waiters[leader]?.prefix(count) ?? []
    waiters[leader]?.removeFirst(gone.count)
    leave(gone)
    return gone.map(\.id)
  }

  /// The question is answered; those who waited for it.
  mutating func completed(_ leader: JobID) -> [JobID] {
    if let question = questions.removeValue(forKey: leader) { leaders[question] = nil }
    let completed = waiters.removeValue(forKey: leader) ?? []
    leave(completed[...])
    return completed.map(\.id)
  }

  private mutating func leave(_ gone: ArraySlice<Waiter>) {
    for waiter in gone { counts.add(-1, of: waiter.batch, host: waiter.host) }
  }
}

/// How many wait for the rows of others.
extension SingleFlight {
  func waiterCount(of batch: BatchID) -> Int { counts.batches[batch] ?? 0 }

  func waiterCount(host: String) -> Int { counts.hosts[host] ?? 0 }

  /// Waiters of a host beyond those that it may have.
  func surplus(host: String) -> Int {
    counts.all == 0 ? 0 : max(0, waiterCount(host: host) - max(0, mostWaiters - counts.all))
  }

  /// How many of them a batch has to answer for.
  func surplus(of batch: BatchID, host: String) -> Int {
    let surplus = surplus(host: host)
    return surplus == 0 ? 0 : min(surplus, counts.lines[WaiterCounts.Line(batch: batch, host: host)] ?? 0)
  }

  /// Hosts that have fewer waiters than before, or may have more.
  mutating func takeShrunk() -> [String] { counts.takeShrunk() }
}

/// Waiters in all, by host, by batch, and by both.
private struct WaiterCounts: Sendable {
  struct Line: Hashable, Sendable {
    let batch: BatchID
    let host: String
  }

  private(set) var all = 0
  private(set) var hosts: [String: Int] = [:]
  private(set) var batches: [BatchID: Int] = [:]
  private(set) var lines: [Line: Int] = [:]
  private var shrunk: [String] = []

  mutating func add(_ more: Int, of batch: BatchID, host: String) {
    all += more
    Self.add(more, to: &hosts, host)
    Self.add(more, to: &batches, batch)
    Self.add(more, to: &lines, Line(batch: batch, host: host))
    if more < 0, shrunk.last != host { shrunk.append(host) }
  }

  private static func add<Key>(_ more: Int, to counts: inout [Key: Int], _ key: Key) {
    let now = counts[key, default: 0] + more
    counts[key] = now == 0 ? nil : now
  }

  /// What some leave is room for the waiters of all hosts.
  mutating func takeShrunk() -> [String] {
    guard !shrunk.isEmpty else { return [] }
    defer { shrunk = [] }
    return Set(shrunk).union(hosts.keys).sorted()
  }
}
