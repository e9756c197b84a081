package import Pipeline

/// What became of jobs.
extension MemoryLedger {
  package func story(of job: JobID) -> JobStory? { chronicle?[job] }

  package func jobs(_ search: JobSearch) -> JobPage {
    chronicle?.page(search, of: search.batch.flatMap { batches[$0]?.serial }) ?? JobPage()
  }

  package func oldestJobs() -> OldestJobs { chronicle?.oldest ?? OldestJobs() }
}

extension LedgerEvent {
  /// The one job that it is about; nil for events about others or none.
  var job: JobID? {
    switch self {
    case .grant(let id, _, to: _), .retry(let id, _, at: _, cause: _), .becameDue(let id),
      .giveBack(let id, _), .crash(let id, _), .absolve(let id, from: _), .requeue(let id):
      id
    case .settle(let settlement): settlement.job
    case .submit, .close, .terms, .pause, .unpause, .cancel, .resume, .abandon, .confirmRows, .seen: nil
    }
  }
}
