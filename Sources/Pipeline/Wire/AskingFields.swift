extension JobPhase: FieldValue {}
extension BatchState: FieldValue {}
extension JobLife.End: FieldValue {}

extension Submit: Archived {
  static var blank: Submit { Submit(batch: .none, sequence: 0, replyTo: Address(""), jobs: []) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &batch)
    coder.field(2, &sequence)
    coder.need(3, &replyTo)
    coder.field(4, &total)
    coder.field(5, &terms)
    coder.field(6, &jobs)
  }
}

extension Receipt: Archived {
  static var blank: Receipt { Receipt(batch: .none, sequence: 0, inserted: 0) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &batch)
    coder.field(2, &sequence)
    coder.field(3, &inserted)
    coder.field(4, &differing)
    coder.field(5, &refusal)
  }
}

extension DifferingJobs: Archived {
  static let blank = DifferingJobs(count: 0, first: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &count)
    coder.field(2, &first)
  }
}

extension BatchTerms: Archived {
  static let blank = BatchTerms()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &name)
    coder.field(2, &weight)
    coder.field(3, &atMost)
    coder.field(4, &perHour)
    coder.field(5, &startsAt)
    coder.field(6, &deadline)
  }
}

extension FleetSize: Archived {
  static let blank = FleetSize(fetchers: 0, decoders: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &fetchers)
    coder.field(2, &decoders)
  }
}

extension PauseScope: Archived {
  static let blank = PauseScope.all

  public var batch: BatchID? { if case .batch(let batch) = self { batch } else { nil } }

  private var host: String? { if case .host(let host) = self { host } else { nil } }

  mutating func code(_ coder: inout some Coder) {
    var (batch, host) = (batch, host)
    coder.field(1, &batch)
    coder.field(2, &host)
    guard coder.isReading else { return }
    let isHost = host.map { !$0.isEmpty && $0.utf8.count <= HostSlotRequest.longestHost } ?? true
    coder.require(isHost && (batch == nil || host == nil), "scope")
    self = batch.map(Self.batch) ?? host.map(Self.host) ?? .all
  }
}

extension Pause: Archived {
  static let blank = Pause(by: "")

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &by)
    coder.field(2, &reason)
    coder.need(3, &at)
    coder.field(4, &lastsMilliseconds)
    guard coder.isReading else { return }
    coder.require(lastsMilliseconds.map { $0 > 0 } ?? true, "time")
    self = Pause(by: by, reason: reason, at: at, lastsMilliseconds: lastsMilliseconds)
  }
}

extension KnownPause: Archived {
  static let blank = KnownPause(.all, .blank)

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &scope)
    coder.need(2, &pause)
  }
}

extension BatchProgress: Archived {
  static let blank = BatchProgress(total: nil, rows: 0, settled: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &total)
    coder.field(2, &rows)
    coder.field(3, &settled)
    coder.field(4, &failed)
    coder.field(5, &cancelled)
    coder.field(6, &isAbandoned)
    coder.field(7, &isPaused)
    coder.field(8, &pause)
    coder.field(9, &hasNoProducer)
  }
}

extension JobChoice: Archived {
  static let blank = JobChoice()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &batch)
    coder.field(2, &job)
    coder.field(3, &host)
    coder.field(4, &since)
    coder.require(!isEmpty, "choice")
  }
}

extension JobListing: Archived {
  static let blank = JobListing(JobSearch())

  /// Keys are made from the link.
  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &search.batch)
    coder.field(2, &search.phase)
    coder.field(3, &search.kind)
    coder.field(4, &search.since)
    coder.field(5, &search.host)
    coder.field(6, &link)
    coder.field(7, &search.from)
    coder.limit(8, &search.limit)
  }
}

extension JobSearch.Place: Archived {
  static let blank = JobSearch.Place(serial: 0, through: nil)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &serial)
    coder.field(2, &through)
  }
}

extension BatchSearch: Archived {
  static let blank = BatchSearch()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &state)
    coder.field(2, &name)
    coder.field(3, &since)
    coder.field(4, &before)
    coder.field(5, &isUnread)
    coder.field(6, &from)
    coder.limit(7, &limit)
  }
}

extension Coder {
  /// How many of something are wanted.
  fileprivate mutating func limit(_ number: UInt8, _ value: inout Int) {
    var count = UInt16(clamping: value)
    need(number, &count)
    if isReading { value = Int(count) }
  }
}

extension ForgettingChoice: Archived {
  static let blank = ForgettingChoice()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &batch)
    coder.field(2, &end)
    coder.field(3, &unconfirmedToo)
    coder.field(4, &onlyCounts)
  }
}

extension LedgerTask: Archived {
  static let blank = LedgerTask.size

  mutating func code(_ coder: inout some Coder) {
    var (kind, choice, age): (UInt8, ForgettingChoice?, Int64) =
      switch self {
      case .size: (1, nil, 0)
      case .copy: (2, nil, 0)
      case .forget(let choice, let age): (3, choice, age)
      case .shrink: (4, nil, 0)
      }
    coder.need(1, &kind)
    coder.field(2, &choice)
    coder.field(3, &age)
    guard coder.isReading else { return }
    switch (kind, choice) {
    case (1, nil): self = .size
    case (2, nil): self = .copy
    case (3, let choice?): self = .forget(choice, olderThanMilliseconds: age)
    case (4, nil): self = .shrink
    default: coder.require(false, "task")
    }
  }
}
