import Pipeline
import Testing

@testable import Roles

/// A fetcher that dies of one job, beside pages and silent links, until that job is found.
struct SuspectSearchTests {
  enum Behaviour {
    case answers, isSilent, kills
    /// Bytes of it come in each of some steps.
    case answersSlowly
    /// Its fetcher says that it waits, and dies of it afterwards.
    case killsLate
  }

  @Test(arguments: [1, 2, 5, 64, 256], [0, 5, 64])
  func `the killer is found in log₂ of the load and three deaths, and no other job is charged`(
    load: Int, silent: Int
  ) {
    for place in stride(from: 0, to: load, by: max(1, load / 7)) {
      let search = Search(silent: silent)
      search.add((0..<load).map { $0 == place ? .kills : .answers })
      search.run()
      #expect(search.deaths <= Self.log2(load + silent) + 3)
      #expect(Array(search.charges.keys) == [search.killer])
      #expect(search.isClean)
    }
  }

  @Test(arguments: [1, 2, 5, 64, 256])
  func `a killer that seems to wait is found as soon, or in six deaths`(load: Int) {
    for place in stride(from: 0, to: load, by: max(1, load / 7)) {
      let search = Search(silent: 0)
      search.add((0..<load).map { $0 == place ? .killsLate : .isSilent })
      search.run()
      #expect(search.deaths <= max(Self.log2(load) + 3, 6))
      #expect(Array(search.charges.keys) == [search.killer])
      #expect(search.isClean)
    }
  }

  @Test(arguments: [2, 16, 64])
  func `a killer that seems to wait is found beside slow pages, and none of them is poisoned`(load: Int) {
    for place in stride(from: 0, to: load, by: max(1, load / 7)) {
      let search = Search(silent: 0)
      search.news = .answersSlowly
      search.add((0..<load).map { $0 == place ? .killsLate : .answersSlowly })
      search.run()
      #expect(search.deaths <= 12)
      #expect(search.poisoned == [search.killer])
      #expect(search.isClean)
    }
  }

  @Test(arguments: [5, 64, 256])
  func `two deaths that nothing explains make no suspects of silent links`(silent: Int) {
    let search = Search(silent: silent)
    for _ in 1...2 {
      search.die()
      #expect(search.dispatcher.suspects.count == 0)
      search.step()
    }
    #expect(search.charges.isEmpty)
  }

  @Test func `a job that was charged is suspected alone after a restart of the aggregator`() {
    let search = Search(silent: 0)
    search.add((0..<16).map { $0 == 7 ? .kills : .answers }, crashes: 2)
    search.run()
    #expect(search.deaths == 1)
    #expect(search.charges == [search.killer: 1])
  }

  @Test func `all suspects of a first death begin in one turn when nothing else wants the credit`() {
    let search = Search(silent: 0)
    search.add(Array(repeating: .kills, count: 64))
    search.step()
    #expect(search.dispatcher.suspects.count == 64)
    #expect(search.dispatcher.assignments(at: Moment(unixMilliseconds: 60_000)).count == 64)
  }

  private static func log2(_ load: Int) -> Int {
    load == 1 ? 0 : Int.bitWidth - (load - 1).leadingZeroBitCount
  }
}

extension SuspectSearchTests {
  /// One fetcher that is started again after each death. A page is new in each step.
  final class Search {
    private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
    private var now = Moment(unixMilliseconds: 1_000)
    /// Steps until a silent link times out.
    private static let patience = 5

    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 10_000, delayMilliseconds: 0)))
    private var behaviours: [JobID: Behaviour] = [:]
    /// What the fetcher is on, and for how many steps.
    private var held: [LeaseToken: (job: JobID, steps: Int)] = [:]
    private(set) var killer = JobID(UUIDv7(high: 4, low: 0))
    private(set) var deaths = 0
    private(set) var charges: [JobID: Int] = [:]
    private(set) var poisoned: [JobID] = []
    /// What comes in each step.
    var news = Behaviour.answers

    init(silent: Int) {
      greet()
      add(Array(repeating: .isSilent, count: silent))
      step()
    }

    /// Nothing is remembered of jobs that are over.
    var isClean: Bool { dispatcher.suspects.leaks == 0 }

    private func greet() {
      dispatcher.fetcherSpoke(
        Hello(
          worker: Self.fetcher, role: .fetcher, locality: "here", address: Address("inproc://1"),
          granted: 1_024, received: 0))
    }

    /// - Parameter crashes: How often the killer was charged under an earlier aggregator.
    func add(_ added: [Behaviour], crashes: UInt8 = 0) {
      for behaviour in added {
        let ordinal = UInt64(behaviours.count)
        var job = Job(
          batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: ordinal, kind: .title,
          input: "http://a.test/\(ordinal)")
        job.id = JobID(UUIDv7(high: 3, low: ordinal))
        behaviours[job.id] = behaviour
        if behaviour == .kills || behaviour == .killsLate { killer = job.id }
        let life =
          behaviour == .kills
          ? JobLife(state: .ready, attempts: UInt16(crashes), crashes: crashes) : JobLife()
        dispatcher.arrived(LedgerJob(job, life: life, at: now), host: "a.test", at: now)
      }
    }

    func run() {
      for _ in 1...2_000 where !dispatcher.jobs.isEmpty {
        step()
        if dispatcher.jobs[killer] != nil { add([news]) }
      }
      #expect(dispatcher.jobs.isEmpty)
    }

    func step() {
      for assignment in dispatcher.assignments(at: now) {
        _ = dispatcher.sent(assignment)
        held[assignment.order.lease.token] = (assignment.order.job.id, 0)
      }
      now = now.advanced(byMilliseconds: Suspects.trialMilliseconds / 2)
      let pages = dispatcher.jobs.values.filter { behaviours[$0.job.id] == news && $0.place == .queued }
      let areSuspects = pages.allSatisfy { dispatcher.suspects.knows($0.job.id) }
      #expect(areSuspects || dispatcher.suspects.trialEnd != nil, "only suspects wait, or for one's trial")
      if held.values.contains(where: { kills($0) }) { return die() }
      for (token, holding) in held.sorted(by: { $0.key < $1.key }) {
        held[token]?.steps += 1
        guard behaviours[holding.job] == .answers || holding.steps >= patience(with: holding.job) else {
          continue
        }
        held[token] = nil
        _ = dispatcher.removed(holding.job, at: now)
      }
      greet()
    }

    private func patience(with job: JobID) -> Int { behaviours[job] == .answersSlowly ? 2 : Self.patience }

    private func kills(_ holding: (job: JobID, steps: Int)) -> Bool {
      switch behaviours[holding.job] {
      case .kills: true
      case .killsLate: holding.steps > 0
      case .answers, .answersSlowly, .isSilent, nil: false
      }
    }

    func die() {
      deaths += 1
      dispatcher.fetcherLeft(Self.fetcher)
      let tokens = held.keys.sorted()
      let executing = tokens.filter { token in
        held[token].map { $0.steps == 0 || behaviours[$0.job] == .answersSlowly } ?? false
      }
      let charged = dispatcher.fetcherDied(
        executing: executing, waiting: tokens.filter { !executing.contains($0) })
      if let charged { charges[charged, default: 0] += 1 }
      for token in tokens {
        guard let job = held.removeValue(forKey: token)?.job else { continue }
        dispatcher.requeued(job, crashed: job == charged, at: now)
        if dispatcher.jobs[job]?.crashesThatCount ?? 0 >= JobLife.crashesUntilPoisoned {
          _ = dispatcher.removed(job, at: now)
          poisoned.append(job)
        }
      }
      greet()
    }
  }
}
