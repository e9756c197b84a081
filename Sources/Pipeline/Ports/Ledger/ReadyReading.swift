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

  public init(host: String, jobs: [LedgerJob], isCut: Bool) {
    self.host = host
    self.jobs = jobs
    self.isCut = isCut
  }
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
