/// A part of a long list. It may be short of its limit, or empty, and not the last.
public struct Page<Item: Sendable, Place: Sendable>: Sendable {
  public var items: [Item]
  /// Where the next page begins; nil when there is none.
  public var next: Place?

  @inlinable public init(_ items: [Item] = [], next: Place? = nil) {
    (self.items, self.next) = (items, next)
  }

  private enum CodingKeys: String, CodingKey {
    case items = "lines"
    case next
  }
}

extension Page {
  /// - Parameters:
  ///   - found: All there is, in order, or the first of it.
  ///   - place: Where a page begins that follows on an item.
  @inlinable public init(_ found: some Sequence<Item>, limit: Int, place: (Item) -> Place) {
    self.init(Array(found.prefix(limit)))
    if items.count == limit { next = items.last.map(place) }
  }
}

extension Page: Equatable where Item: Equatable, Place: Equatable {}
extension Page: Codable where Item: Codable, Place: Codable {}
extension Page: Hashable where Item: Hashable, Place: Hashable {}

/// How far a batch is.
public struct BatchProgress: Codable, Hashable, Sendable {
  /// How many jobs it has in all; nil while more may come.
  public var total: UInt64?
  /// The number of the last row, which readers page by; rows are numbered from 1 in the order of completion. Numbers
  /// of requeued jobs stay unused, so this may exceed `settled`.
  public var rows: UInt64
  /// Jobs that came to their end, whichever it was.
  public var settled: UInt64
  /// Those of them that failed.
  public var failed: UInt64
  /// Those of them that were cancelled.
  public var cancelled: UInt64
  /// Its producer went away before it said how many jobs there are: `total` is what it submitted.
  public var isAbandoned: Bool
  /// None of its jobs starts for now.
  public var isPaused: Bool
  /// Why some or all of its jobs do not start. The aggregator says so, no ledger does.
  public var pause: KnownPause?
  /// More jobs are awaited, but their producer is gone. The aggregator can tell only a minute after its start.
  public var hasNoProducer = false
  /// It is cancelled: jobs that still come to it are too. The aggregator says so.
  public var isCancelled = false
  /// Of which ledger this is: another one after a copy of before was put in its place. The aggregator says so.
  public var lineage: UInt64 = 0

  public init(
    total: UInt64?, rows: UInt64, settled: UInt64, failed: UInt64 = 0, cancelled: UInt64 = 0,
    isAbandoned: Bool = false, isPaused: Bool = false
  ) {
    self.total = total
    self.rows = rows
    self.settled = settled
    self.failed = failed
    self.cancelled = cancelled
    self.isAbandoned = isAbandoned
    self.isPaused = isPaused
  }

  public var isComplete: Bool { total == settled }

  /// Jobs that found what they were for.
  public var done: UInt64 { settled - min(settled, failed + cancelled) }

  /// Jobs that are not over; nil while more may come.
  public var open: UInt64? { total.map { $0 - min($0, settled) } }
}

/// How many jobs are in which state.
public struct JobCounts: Hashable, Sendable {
  public var waiting = 0
  public var ready = 0
  public var leased = 0
  public var scheduled = 0
  /// Dead letters: they are over, and can be requeued.
  public var dead = 0

  public init() {}

  /// Done and cancelled jobs are not counted.
  public mutating func add(_ difference: Int, in phase: JobPhase) {
    switch phase {
    case .waiting: waiting += difference
    case .ready: ready += difference
    case .leased: leased += difference
    case .scheduled: scheduled += difference
    case .failed: dead += difference
    case .done, .cancelled: break
    }
  }

  /// Jobs that are not over.
  public var open: Int { waiting + ready + leased + scheduled }
}

/// The content of a status page.
public struct LedgerSummary: Hashable, Sendable {
  public var jobs: JobCounts
  /// The newest first, without passing ones.
  public var batches: [LedgerBatch]
  /// How many more there are.
  public var otherBatches: Int

  public init(jobs: JobCounts, batches: [LedgerBatch], otherBatches: Int = 0) {
    self.jobs = jobs
    self.batches = batches
    self.otherBatches = otherBatches
  }

  /// Fewer of them.
  public func first(_ limit: Int) -> LedgerSummary {
    let shown = batches.prefix(max(0, limit))
    return LedgerSummary(
      jobs: jobs, batches: Array(shown), otherBatches: otherBatches + batches.count - shown.count)
  }
}

/// What keeps jobs from starting, or lets those of one batch start more often than others.
public struct KnownShares: Hashable, Sendable {
  /// Batches that are paused, and unfinished ones whose terms are not the usual ones, in the order in which they came.
  public var batches: [LedgerBatch] = []
  public var pauses: [PauseScope: Pause] = [:]

  /// - Parameters:
  ///   - batches: In the order in which they came.
  ///   - pauses: Of hosts and of everything.
  public init(_ batches: some Sequence<LedgerBatch> = [], pauses: [PauseScope: Pause] = [:]) {
    self.pauses = pauses
    for batch in batches where batch.pause != nil || !batch.progress.isComplete && !batch.terms.areUsual {
      self.batches.append(batch)
      self.pauses[.batch(batch.id)] = batch.pause
    }
  }

  public var isAllPaused: Bool { pauses[.all] != nil }

  public var pausedHosts: Set<String> {
    Set(pauses.keys.compactMap { if case .host(let host) = $0 { host } else { nil } })
  }
}

/// A place among the ready jobs of a batch. They are kept in blocks of neighbouring ordinals, and in a block by host: so
/// what is submitted together stands together, and the jobs of one host are found without a look at the others.
public struct ReadyPlace: Hashable, Sendable {
  /// How many bits of an ordinal tell the place in its block.
  public static let blockBits = 11

  public var block: Int64
  /// The first host of the block that may come.
  public var host: String

  public init(block: Int64, host: String = "") {
    (self.block, self.host) = (block, host)
  }

  public static let first = ReadyPlace(block: 0)

  /// Behind all jobs of a host in this block.
  public func after(_ host: String) -> ReadyPlace { ReadyPlace(block: block, host: host + "\0") }
}

extension JobID {
  /// The block of its batch in which the job stands while it is ready.
  public var readyBlock: Int64 { Int64(ordinalBits >> UInt64(ReadyPlace.blockBits)) }

  /// The least id of the block.
  public var startOfBlock: JobID {
    let bits = UInt64(ReadyPlace.blockBits)
    return JobID(UUIDv7(high: uuid.high, low: (uuid.low >> bits) << bits))
  }

  /// Before all jobs of a block, and after those of the blocks before it.
  public init(batch: BatchID, startOf block: Int64) {
    self = JobID(batch: batch, ordinal: UInt64(block) << UInt64(ReadyPlace.blockBits)).predecessor
  }
}

/// Which ready jobs of a batch to read.
public struct ReadyWish: Sendable {
  public var batch: BatchID
  public var from: ReadyPlace
  /// Hosts that are passed over.
  public var without: Set<String>
  /// Jobs of one host in one block.
  public var perHost: Int
  /// Jobs in all; those that the last host has in its block may exceed it.
  public var limit: Int

  public init(
    _ batch: BatchID, from: ReadyPlace = .first, without: Set<String> = [], perHost: Int, limit: Int
  ) {
    self.batch = batch
    self.from = from
    self.without = without
    self.perHost = perHost
    self.limit = limit
  }
}

/// Ready jobs of a host in a block.
public struct ReadyGroup: Sendable {
  public var host: String
  /// In the order of their ids.
  public var jobs: [LedgerJob]
  /// The host has more in this block. From here on the page passes it over.
  public var isCut: Bool
}

/// Ready jobs of a batch, block after block, and in each host after host.
public typealias ReadyPage = Page<ReadyGroup, ReadyPlace>

/// Chooses what a page of ready jobs holds, while they are offered in their order. A pure value.
public struct ReadyChoice: Sendable {
  private struct Group: Sendable {
    let host: String
    var ids: [JobID]
    var isCut = false
  }

  /// What the reader does next.
  public enum Step: Sendable {
    case next
    /// Nothing more of this host is wanted from this block.
    case skipHost
    /// The job belongs to the next page.
    case stop
  }

  /// How many jobs are looked at for a page, so that one never takes long.
  private static let mostLooked = 8_192
  /// How many jobs of a host are passed over one by one before its others in the block are skipped.
  private static let mostPassed = 32

  private let perHost: Int
  private var passedOver: Set<String>
  private var room: Int
  private var looked = 0
  /// The host whose jobs are offered now, whether they are taken, and how many were not.
  private var current: (host: String, isTaken: Bool, passed: Int)?
  private var groups: [Group] = []

  public init(_ wish: ReadyWish) {
    (perHost, room, passedOver) = (wish.perHost, wish.limit, wish.without)
  }

  public var isDone: Bool { room <= 0 || looked >= Self.mostLooked }

  /// - Parameters:
  ///   - next: Where it goes on; nil when that was all.
  ///   - jobs: Reads the jobs of a host.
  public func page<Fault: Error>(
    next: ReadyPlace?, _ jobs: ([JobID]) throws(Fault) -> [LedgerJob]
  ) throws(Fault) -> ReadyPage {
    var page = ReadyPage(next: next)
    for group in groups {
      page.items.append(ReadyGroup(host: group.host, jobs: try jobs(group.ids), isCut: group.isCut))
    }
    return page
  }

  public mutating func beginBlock() {
    current = nil
  }

  public mutating func offer(_ id: JobID, of host: String) -> Step {
    if current?.host != host {
      guard !isDone else { return .stop }
      let isTaken = !passedOver.contains(host)
      current = (host, isTaken, 0)
      if isTaken { groups.append(Group(host: host, ids: [])) }
    }
    looked += 1
    guard current?.isTaken == true else {
      current?.passed += 1
      return current.map { $0.passed < Self.mostPassed } ?? true ? .next : .skipHost
    }
    guard groups[groups.count - 1].ids.count < perHost else {
      groups[groups.count - 1].isCut = true
      passedOver.insert(host)
      return .skipHost
    }
    groups[groups.count - 1].ids.append(id)
    room -= 1
    return .next
  }
}
