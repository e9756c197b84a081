@testable import Pipeline

/// What clients ask, and what they are answered.
extension RandomMessages {
  mutating func question() -> Query.Question {
    switch Int.random(in: 0..<17, using: &random) {
    case 8: .job(JobID(wish()))
    case 9: .jobs(listing())
    case 10: .drain(worker())
    case 11: .scale(pick([.fetcher, .decoder]), to: small())
    case 12: .fetchOptions
    case 13: .pause(pauseScope(), pause())
    case 14: .resume(pauseScope())
    case 15: .batches(search())
    case 16: .change(batch(), terms())
    case 0: .rows(of: batch(), confirmed: number(), limit: number())
    case 1: .copies(of: batch(), after: number(), limit: number())
    case 2: .status
    case 3: .progress(of: batch())
    case 4: .requeue(choice(), of: Set(list { $0.pick(FailureKind.allCases) }))
    case 5: .care(task(), isUnderWay: Bool.random(using: &random))
    case 6: .storedRows(of: maybe { $0.batch() }, after: RowPlace(number()))
    default: .cancel(choice(), cause: text())
    }
  }

  mutating func task() -> LedgerTask {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .size
    case 1: .copy
    case 2: .shrink
    default:
      .forget(
        ForgettingChoice(
          batch: maybe { $0.batch() }, end: maybe { $0.pick([.done, .dead, .cancelled]) },
          unconfirmedToo: Bool.random(using: &random), onlyCounts: Bool.random(using: &random)),
        olderThanMilliseconds: Int64(small()))
    }
  }

  mutating func pauseScope() -> PauseScope {
    pick([.all, .host("h\(small()).test"), .batch(batch())])
  }

  mutating func pause() -> Pause {
    Pause(
      by: text(), reason: maybe { $0.text() }, at: Moment(unixMilliseconds: Int64(small())),
      lastsMilliseconds: maybe { Int64($0.small()) + 1 })
  }

  mutating func choice() -> JobChoice {
    JobChoice(
      batch(), job: maybe { JobID($0.wish()) }, host: maybe { "h\($0.small()).test" },
      since: maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) })
  }

  private mutating func search() -> BatchSearch {
    var search = BatchSearch()
    search.state = maybe { $0.pick(BatchState.allCases) }
    search.name = maybe { $0.text() }
    search.since = maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) }
    search.isUnread = flag()
    search.from = maybe { Int64($0.small()) + 1 }
    return search
  }

  mutating func answer() -> Answer {
    switch Int.random(in: 0..<16, using: &random) {
    case 8: .job(JobID(wish()), maybe { $0.bytes() + [0] })
    case 9: .jobs(bytes(), next: maybe { $0.place() }, to: maybe { $0.wish() })
    case 10: .drained(worker(), pick([.leaving(jobs: small()), .gone]), to: maybe { $0.wish() })
    case 11: .scaled(pick([.fetcher, .decoder]), to: small())
    case 12: .fetchOptions(maybe { $0.fetchOptions() })
    case 14: .batches(bytes(), next: maybe { Int64($0.small()) + 1 }, to: maybe { $0.wish() })
    case 15: .changed(batch(), isKnown: flag(), to: maybe { $0.wish() })
    case 13: .pausing(pauseScope(), isPaused: flag(), wasChanged: flag(), to: maybe { $0.wish() })
    case 0: .complete(batch(), rows: number())
    case 1: .status(bytes())
    case 2:
      .progress(
        of: batch(),
        maybe {
          var progress = BatchProgress(
            total: $0.maybe { $0.number() }, rows: $0.number(), settled: $0.number(), failed: $0.number(),
            cancelled: $0.number(), isAbandoned: Bool.random(using: &$0.random),
            isPaused: Bool.random(using: &$0.random))
          progress.hasNoProducer = Bool.random(using: &$0.random)
          return progress
        }, at: Moment(unixMilliseconds: Int64(small()) + 1))
    case 3: .requeued(jobs: number(), to: maybe { $0.wish() })
    case 4: .cancelled(jobs: number(), to: maybe { $0.wish() })
    case 5: .care(bytes(), to: maybe { $0.wish() })
    case 6:
      .storedRows(
        after: RowPlace(number()), StoredRows(list { $0.row() }, next: maybe { RowPlace($0.number()) }))
    default: .rows(of: batch(), after: number(), list { $0.row() })
    }
  }

  mutating func listing() -> JobListing {
    var search = JobSearch()
    search.batch = maybe { $0.batch() }
    search.phase = maybe { $0.pick(JobPhase.allCases) }
    search.kind = maybe { $0.pick(JobKind.allCases) }
    search.host = maybe { $0.text() }
    search.since = maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) }
    search.limit = Int(small() % 1_000)
    search.from = maybe { $0.place() }
    return JobListing(search, link: maybe { $0.text() })
  }

  mutating func place() -> JobSearch.Place {
    JobSearch.Place(serial: Int64(small()), through: maybe { JobID($0.wish()) })
  }

  mutating func fetchOptions() -> FetchOptions {
    FetchOptions(
      given: list { random in
        FetchOptions.Given(name: random.text(), values: random.list { $0.text() })
      },
      hash: number(), withheld: list { $0.text() })
  }
}
