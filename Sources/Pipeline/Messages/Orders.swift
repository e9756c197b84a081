public import JSONQuery

/// Which jobs an order is about: those that match all that is given.
public struct JobChoice: Codable, Hashable, Sendable {
  public var batch: BatchID?
  public var job: JobID?
  /// As jobs wait for it.
  public var host: String?
  /// Jobs that were submitted at this moment or later.
  public var since: Moment?

  public init(_ batch: BatchID? = nil, job: JobID? = nil, host: String? = nil, since: Moment? = nil) {
    (self.batch, self.job, self.host, self.since) = (batch, job, host, since)
  }

  /// A batch with all that belongs to it, jobs to come too.
  public var wholeBatch: BatchID? { job == nil && host == nil && since == nil ? batch : nil }

  /// No order is about all jobs of a fleet.
  public var isEmpty: Bool { self == JobChoice() }
}

/// Tries dead letters once more, from the start. The reply says how many.
public struct RequeueOrder: FleetQuestion {
  public typealias Reply = UInt64
  public static let name = "requeue"
  public static let changes = true

  public var choice: JobChoice
  /// Those that failed so; all when none is named.
  public var kinds: [FailureKind]

  public init(_ choice: JobChoice, of kinds: Set<FailureKind> = []) {
    (self.choice, self.kinds) = (choice, FailureKind.allCases.filter(kinds.contains))
  }

  public var bounded: RequeueOrder? { choice.isEmpty ? nil : self }
}

/// Ends jobs that are not over, each with its row. Of a whole batch, also those that are still to be submitted. The reply
/// says how many are cancelled, or about to be, that were not before.
public struct CancelOrder: FleetQuestion {
  public typealias Reply = UInt64
  public static let name = "cancel"
  public static let changes = true

  public var choice: JobChoice
  public var cause: String

  public init(_ choice: JobChoice, cause: String) {
    (self.choice, self.cause) = (choice, cause)
  }

  public var bounded: CancelOrder? { choice.isEmpty ? nil : self }
}

/// Starts no more jobs of a batch, of a host or at all, or goes on with them.
public struct PauseOrder: FleetQuestion {
  public struct Reply: Codable, Hashable, Sendable {
    public var isPaused: Bool
    /// It was different before.
    public var wasChanged: Bool

    public init(isPaused: Bool, wasChanged: Bool) {
      (self.isPaused, self.wasChanged) = (isPaused, wasChanged)
    }
  }

  public static let name = "pause"
  public static let changes = true

  public var scope: PauseScope
  /// Takes the place of the one before; the aggregator says since when. nil to go on.
  public var pause: Pause?

  public init(_ pause: Pause?, of scope: PauseScope) {
    (self.scope, self.pause) = (scope, pause)
  }

  public var bounded: PauseOrder? {
    guard scope.isSound, pause?.isSound ?? true else { return nil }
    return PauseOrder(
      pause.map { Pause(by: $0.by, reason: $0.reason, at: $0.at, lastsMilliseconds: $0.lastsMilliseconds) },
      of: scope)
  }
}

/// Gives a batch other terms, as far as these say something. The reply is false when there is no such batch.
public struct ChangeOrder: FleetQuestion {
  public typealias Reply = Bool
  public static let name = "change"
  public static let changes = true

  public var batch: BatchID
  public var terms: BatchTerms

  public init(_ batch: BatchID, _ terms: BatchTerms) {
    (self.batch, self.terms) = (batch, terms)
  }

  public var bounded: ChangeOrder? {
    var bounded = BatchTerms()
    bounded.take(terms)
    return ChangeOrder(batch, bounded)
  }
}

/// Has a worker finish what it has and end.
public struct DrainOrder: FleetQuestion {
  public enum Reply: Codable, Hashable, Sendable {
    /// It takes nothing new, and ends when it has finished so many jobs.
    case leaving(jobs: UInt32)
    /// There is no such worker, or none any more.
    case gone
  }

  public static let name = "drain"
  public static let changes = true

  public var worker: WorkerID

  public init(_ worker: WorkerID) { self.worker = worker }
}

/// Has something done with the ledger. The reply is a report of the schema `halyard.ledger/1`; while it says that the work
/// goes on, `CareQuestion` asks how far it is.
public struct CareOrder: FleetQuestion {
  public typealias Reply = RawJSON
  public static let name = "care"
  public static let changes = true

  public var task: LedgerTask

  public init(_ task: LedgerTask) { self.task = task }
}

/// Has `up` run so many workers of a role, which the reply repeats. An aggregator does not know it. How many there are to be
/// is said, not how many more, and `up` does it at once: so it needs no deadline.
public struct ScaleOrder: FleetQuestion {
  public typealias Reply = UInt32
  public static let name = "scale"

  public var role: Role
  public var count: UInt32

  public init(_ role: Role, to count: UInt32) {
    (self.role, self.count) = (role, count)
  }
}
