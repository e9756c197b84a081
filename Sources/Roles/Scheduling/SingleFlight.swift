import JSONQuery
package import Links
package import Pipeline

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

/// What makes two jobs the same question, so that the answer to one is the answer to the other. Single flight and kept
/// answers both go by it.
package struct Question: Hashable, Sendable {
  private let kind: JobKind
  package let link: WebURL
  /// nil for a job that wishes nothing of the reading. ASCII only, because Swift takes texts for equal that have other
  /// bytes, and a selection goes by its bytes.
  private let reading: String?

  /// nil for a job that asks no link.
  ///
  /// - Parameter link: As it was read already; nil to read it now.
  package init?(_ job: Job, link: WebURL? = nil) {
    guard job.kind != .echo, let link = link ?? (try? Intake.link(of: job)) else { return nil }
    (kind, self.link) = (job.kind, link)
    reading = job.reading == Reading() ? nil : Self.text(of: job.reading)
  }

  /// The question as a key that holds beyond this process.
  ///
  /// - Parameter settings: Stands for all settings that change answers.
  package func key(settings: UInt64) -> String {
    "\(kind.name) \(settings)\(reading.map { " \($0)" } ?? "")\n\(link.href)"
  }

  /// Every wish by its name, on one line.
  private static func text(of reading: Reading) -> String {
    let line = JSONWriter.object { line in
      for (name, text) in [
        ("select", reading.select), ("call", reading.call), ("recipe", reading.recipe),
        ("language", reading.language),
      ] {
        line.member(name, text)
      }
      for (name, isSet) in [("unwrap", reading.unwraps), ("embed", reading.wantsEmbed)] where isSet {
        line.member(name, true)
      }
      for (name, texts) in [
        ("require", reading.require), ("parameters", reading.parameters), ("headers", reading.headers),
        ("accepts", reading.accepts.map(\.text)),
      ] {
        line.member(name, texts)
      }
    }
    return String(decoding: line.flatMap(Self.escaped), as: UTF8.self)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    guard byte >= 0x80 || byte == UInt8(ascii: "%") else { return [byte] }
    return Array("%\(String(byte, radix: 16))".utf8)
  }
}

/// The first look at a job: what cannot be fetched ends here.
package enum Intake {
  /// Where the job waits for its turn. What goes to no host takes many turns at once.
  package static func host(of job: Job) throws(Failure) -> String { try place(of: job).host }

  /// Where the job waits, and its link, if it has one. Not inlined, so that scripts/costs can count how often.
  @inline(never)
  package static func place(of job: Job) throws(Failure) -> (host: String, link: WebURL?) {
    guard job.kind != .echo else { return ("echo \(job.ordinal % echoTurns)", nil) }
    let link = try link(of: job)
    return (link.hostKey, link)
  }

  private static let echoTurns: UInt64 = 1_024

  /// Why nothing of a submission can be taken; nil when it can.
  package static func refusal(of submit: Submit) -> Failure? {
    let isItsOwn = submit.jobs.allSatisfy { job in
      job.batch == submit.batch && job.id == JobID(batch: job.batch, ordinal: job.ordinal)
    }
    guard isItsOwn, !submit.batch.isOfCalls else {
      return Failure(
        .invalidInput, at: .input,
        "submit to batch \(submit.batch): a job of another batch is among them; submit each batch by itself")
    }
    let jobs = submit.jobs.map { $0.ordinal }.max().map { $0 < .max ? $0 + 1 : $0 } ?? 0
    if max(jobs, submit.total ?? 0) > Job.mostInBatch {
      return Failure(
        .invalidInput, at: .input,
        "submit to batch \(submit.batch): a batch has at most \(Job.mostInBatch) jobs; begin another one")
    }
    guard let total = submit.total, jobs > total else { return nil }
    return Failure(
      .invalidInput, at: .input,
      "submit to batch \(submit.batch): job \(jobs) is not one of its \(total); count all jobs of the batch")
  }

  /// The job's input as a link, or why it is not one.
  package static func link(of job: Job) throws(Failure) -> WebURL {
    if let refusal = job.refusal { throw refusal }
    guard let input = job.input, !input.isEmpty else {
      throw Failure(
        .missingInput, at: .input,
        "read ordinal \(job.ordinal) of its batch: there is no link in it; give an http or https address")
    }
    do {
      return try WebURL.userInput(input)
    } catch {
      let kind: FailureKind =
        if case .unsupportedScheme = error { .unsupportedScheme } else { .invalidInput }
      throw Failure(kind, at: .input, "read '\(printableLink(input))': \(error.message)")
    }
  }
}
