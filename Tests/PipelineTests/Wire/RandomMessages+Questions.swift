import Testing

@testable import Pipeline

/// What clients ask, and what they are answered.
extension RandomMessages {
  mutating func question() -> Query.Question {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .rows(of: batch(), confirmed: number(), limit: number())
    case 1: .copies(of: batch(), after: number(), limit: number())
    default: .storedRows(of: maybe { $0.batch() }, after: RowPlace(number()))
    }
  }

  mutating func ask() -> Ask {
    switch Int.random(in: 0..<15, using: &random) {
    case 0: ask(StatusQuestion(of: maybe { FleetSize(fetchers: $0.small(), decoders: $0.small()) }))
    case 1: ask(JobQuestion(JobID(wish())))
    case 2: ask(listing())
    case 3: ask(search())
    case 4: ask(FetchOptionsQuestion())
    case 5: ask(LedgerSizeQuestion())
    case 6: ask(CareQuestion(of: wish(), task()))
    case 7: ask(CareOrder(task()))
    case 8: ask(RequeueOrder(choice(), of: Set(list { $0.pick(FailureKind.allCases) })))
    case 9: ask(CancelOrder(choice(), cause: text()))
    case 10: ask(PauseOrder(maybe { $0.pause() }, of: pauseScope()))
    case 11: ask(ChangeOrder(batch(), terms()))
    case 12: ask(DrainOrder(worker()))
    case 13: ask(ProgressQuestion(of: batch()))
    default: ask(ScaleOrder(pick([.fetcher, .decoder]), to: small()))
    }
  }

  /// It is what it was when it is read.
  private mutating func ask(_ question: some FleetQuestion) -> Ask {
    let ask = Ask(
      question, replyTo: address(), id: wish(),
      deadline: maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) })
    func check<Question: FleetQuestion>(_ question: Question) {
      let read = ask.question(as: Question.self)
      #expect(read == question, "\(String(decoding: ask.json, as: UTF8.self))")
    }
    check(question)
    return ask
  }

  mutating func tell() -> Tell {
    let (ask, moment) = (ask(), Moment(unixMilliseconds: Int64(small())))
    let outcome = pick([DrainOrder.Reply.gone, .leaving(jobs: small())])
    let progress = progress()
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: Tell(to: ask, at: moment)
    case 3: Tell(to: ask, at: moment, progress)
    case 1: Tell(to: ask, at: moment, refusal: pick([.unknown, .unreadable]))
    case 2: Tell(to: ask, at: moment, outcome)
    default: Tell(to: ask, at: moment, maybe { $0.fetchOptions() })
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
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .complete(batch(), rows: number())
    case 1:
      .storedRows(
        after: RowPlace(number()), StoredRows(list { $0.row() }, next: maybe { RowPlace($0.number()) }))
    default: .rows(of: batch(), after: number(), list { $0.row() })
    }
  }

  private mutating func progress() -> BatchProgress {
    var progress = BatchProgress(
      total: maybe { $0.number() }, rows: number(), settled: number(), failed: number(), cancelled: number(),
      isAbandoned: flag(), isPaused: flag())
    progress.hasNoProducer = flag()
    progress.lineage = number()
    progress.pause = maybe { KnownPause($0.pauseScope(), $0.pause()) }
    return progress
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
