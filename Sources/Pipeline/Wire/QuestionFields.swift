extension Ask: Archived {
  static var blank: Ask { Ask(FetchOptionsQuestion(), replyTo: Address(""), id: UUIDv7(high: 0, low: 0)) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &replyTo)
    coder.need(2, &id)
    coder.need(3, &name)
    coder.require(name.utf8.count <= Self.longestName, "name")
    coder.field(4, &deadline)
    coder.bytes(5, &json)
    coder.bound(json.count, to: Self.mostBytes, json.count <= Self.mostBytes)
  }
}

extension Tell.Refusal: FieldValue {}

extension Tell: Archived {
  static var blank: Tell { Tell(to: .blank, at: Moment(unixMilliseconds: 0)) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &id)
    coder.need(2, &at)
    coder.need(3, &name)
    coder.require(name.utf8.count <= Ask.longestName, "name")
    coder.field(4, &refusal)
    coder.bytes(5, &json)
  }
}

extension Query: Archived {
  static var blank: Query { Query(replyTo: Address(""), .storedRows(of: nil, after: .first)) }

  /// The fields of its question stand among its own: which one it is, and what goes with it.
  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &replyTo)
    var (kind, batch, after, limit): (UInt8, BatchID?, UInt64, UInt64)
    switch question {
    case .rows(let of, confirmed: let number, limit: let most):
      (kind, batch, after, limit) = (1, of, number, most)
    case .copies(let of, after: let number, limit: let most):
      (kind, batch, after, limit) = (2, of, number, most)
    case .storedRows(let of, after: let place): (kind, batch, after, limit) = (3, of, place.value, 0)
    }
    coder.need(2, &kind)
    coder.field(3, &batch)
    coder.field(4, &after)
    coder.field(5, &limit)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, let batch?): question = .rows(of: batch, confirmed: after, limit: limit)
    case (2, let batch?): question = .copies(of: batch, after: after, limit: limit)
    case (3, let batch): question = .storedRows(of: batch, after: RowPlace(after))
    default: coder.require(false, "question")
    }
  }
}

extension Answer: Archived {
  static var blank: Answer { .storedRows(after: .first, StoredRows()) }

  mutating func code(_ coder: inout some Coder) {
    var (kind, batch, number): (UInt8, BatchID?, UInt64)
    var (next, rows): (UInt64?, [NumberedRow]) = (nil, [])
    switch self {
    case .rows(let of, let after, let items): (kind, batch, number, rows) = (1, of, after, items)
    case .complete(let of, rows: let count): (kind, batch, number) = (2, of, count)
    case .storedRows(after: let place, let page):
      (kind, batch, number, next, rows) = (3, nil, place.value, page.next?.value, page.items)
    }
    coder.need(1, &kind)
    coder.field(2, &batch)
    coder.field(3, &number)
    coder.field(4, &next)
    coder.field(5, &rows)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, let batch?): self = .rows(of: batch, after: number, rows)
    case (2, let batch?): self = .complete(batch, rows: number)
    case (3, nil):
      self = .storedRows(after: RowPlace(number), StoredRows(rows, next: next.map { RowPlace($0) }))
    default: coder.require(false, "answer")
    }
  }
}

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
    coder.field(6, &lineage)
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
