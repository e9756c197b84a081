public import JSONQuery

/// How the fleet is: a report of the schema `halyard.status/1`.
public struct StatusQuestion: FleetQuestion {
  public typealias Reply = RawJSON
  public static let name = "status"

  /// How many workers `up` keeps running, which it says whenever it asks.
  public var size: FleetSize?
  /// The process of that `up`.
  public var process: Int32?

  public init(of size: FleetSize? = nil, by process: Int32? = nil) {
    (self.size, self.process) = (size, process)
  }
}

/// How many workers of each role `up` keeps running.
public struct FleetSize: Codable, Hashable, Sendable {
  public var fetchers: UInt32
  public var decoders: UInt32

  public init(fetchers: UInt32, decoders: UInt32) {
    (self.fetchers, self.decoders) = (fetchers, decoders)
  }
}

/// How far a batch is; nil when there is no such batch.
public struct ProgressQuestion: FleetQuestion {
  public typealias Reply = BatchProgress?
  public static let name = "progress"

  public var batch: BatchID

  public init(of batch: BatchID) { self.batch = batch }
}

/// What became of a job: a report of the schema `halyard.job/1`; nil when there is no such job.
public struct JobQuestion: FleetQuestion {
  public typealias Reply = RawJSON?
  public static let name = "job"

  public var job: JobID

  public init(_ job: JobID) { self.job = job }
}

/// A page of a list of objects, each on one line.
public typealias ReportPage<Place: Codable & Sendable> = Page<RawJSON, Place>

/// Jobs of all batches, a page of them.
public struct JobListing: FleetQuestion {
  public typealias Reply = ReportPage<JobSearch.Place>
  public static let name = "jobs"

  public var search: JobSearch
  /// As a user writes it; the aggregator looks for those that are fetched at the same address. nil for all.
  public var link: String?

  public init(_ search: JobSearch, link: String? = nil) {
    self.search = search
    self.link = link
  }
}

/// Batches, a page of them.
extension BatchSearch: FleetQuestion {
  public typealias Reply = ReportPage<Int64>
  public static let name = "batches"
}

/// With which options the fleet's fetchers fetch; nil when it was given none, so that each fetcher brings its own.
public struct FetchOptionsQuestion: FleetQuestion {
  public typealias Reply = FetchOptions?
  public static let name = "fetch-options"
  public static let right = LaneRights.fetcher

  public init() {}
}

/// What the ledger takes on its disk, and what is in it: a report of the schema `halyard.ledger/1`.
public struct LedgerSizeQuestion: FleetQuestion {
  public typealias Reply = RawJSON
  public static let name = "ledger-size"

  public init() {}
}

/// How far the work of a `CareOrder` is: a report of the schema `halyard.ledger/1`. Work that nobody asks about is ended.
public struct CareQuestion: FleetQuestion {
  public typealias Reply = RawJSON
  public static let name = "care-progress"

  /// Of the order.
  public var id: UUIDv7
  public var task: LedgerTask

  public init(of id: UUIDv7, _ task: LedgerTask) {
    (self.id, self.task) = (id, task)
  }
}
