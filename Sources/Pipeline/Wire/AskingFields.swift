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
