extension Answer: Archived {
  static let blank = Answer.status([])

  mutating func code(_ coder: inout some Coder) {
    var kind = Kind(self)
    coder.need(1, &kind)
    if coder.isReading { self = kind.blank }
    switch self {
    case .rows(var batch, var after, var rows):
      coder.need(2, &batch)
      coder.field(3, &after)
      coder.field(4, &rows)
      self = .rows(of: batch, after: after, rows)
    case .complete(var batch, var rows):
      coder.need(2, &batch)
      coder.field(3, &rows)
      self = .complete(batch, rows: rows)
    case .status(var json):
      coder.bytes(2, &json)
      self = .status(json)
    case .progress(var batch, var progress, var moment):
      coder.need(2, &batch)
      coder.field(3, &progress)
      coder.need(4, &moment)
      self = .progress(of: batch, progress, at: moment)
    case .requeued(var jobs, var query):
      coder.field(2, &query)
      coder.field(3, &jobs)
      self = .requeued(jobs: jobs, to: query)
    case .cancelled(var jobs, var query):
      coder.field(2, &query)
      coder.field(3, &jobs)
      self = .cancelled(jobs: jobs, to: query)
    case .job, .jobs, .care, .storedRows, .batches: codeReport(&coder)
    case .drained, .scaled, .fetchOptions, .pausing, .changed: codeChange(&coder)
    }
  }

  /// What operators see.
  private mutating func codeReport(_ coder: inout some Coder) {
    switch self {
    case .job(var id, let json):
      coder.need(2, &id)
      var report = json.map { ByteBlock(bytes: $0) }
      coder.field(3, &report)
      self = .job(id, report?.bytes)
    case .jobs(var json, var next, var query):
      coder.field(2, &query)
      coder.bytes(3, &json)
      coder.field(4, &next)
      self = .jobs(json, next: next, to: query)
    case .care(var json, var query):
      coder.field(2, &query)
      coder.bytes(3, &json)
      self = .care(json, to: query)
    case .storedRows(var after, var page):
      coder.field(2, &after.value)
      var next = page.next?.value
      coder.field(3, &next)
      coder.field(4, &page.items)
      page.next = next.map { RowPlace($0) }
      self = .storedRows(after: after, page)
    case .batches(var json, var next, var query):
      coder.field(2, &query)
      coder.bytes(3, &json)
      coder.field(4, &next)
      self = .batches(json, next: next, to: query)
    case .rows, .complete, .status, .progress, .requeued, .cancelled, .drained, .scaled, .fetchOptions,
      .pausing, .changed:
      break
    }
  }

  /// What became of their wishes.
  private mutating func codeChange(_ coder: inout some Coder) {
    switch self {
    case .drained(var worker, let outcome, var query):
      coder.field(2, &query)
      coder.need(3, &worker)
      var jobs: UInt32? = if case .leaving(let jobs) = outcome { jobs } else { nil }
      coder.field(4, &jobs)
      self = .drained(worker, jobs.map { .leaving(jobs: $0) } ?? .gone, to: query)
    case .scaled(var role, var count):
      coder.need(2, &role)
      coder.field(3, &count)
      self = .scaled(role, to: count)
    case .fetchOptions(var options):
      coder.field(2, &options)
      self = .fetchOptions(options)
    case .pausing(var scope, var isPaused, var wasChanged, var query):
      coder.field(2, &query)
      coder.need(3, &scope)
      coder.field(4, &isPaused)
      coder.field(5, &wasChanged)
      self = .pausing(scope, isPaused: isPaused, wasChanged: wasChanged, to: query)
    case .changed(var batch, var isKnown, var query):
      coder.field(2, &query)
      coder.need(3, &batch)
      coder.field(4, &isKnown)
      self = .changed(batch, isKnown: isKnown, to: query)
    case .rows, .complete, .status, .progress, .requeued, .cancelled, .job, .jobs, .care, .storedRows,
      .batches:
      break
    }
  }
}

private enum Kind: UInt8, FieldValue {
  case rows = 1
  case complete, status, progress, requeued, cancelled, job, jobs, care, storedRows, drained, fetchOptions
  case scaled, pausing, batches, changed

  init(_ answer: Answer) {
    self =
      switch answer {
      case .rows: .rows
      case .complete: .complete
      case .status: .status
      case .progress: .progress
      case .requeued: .requeued
      case .cancelled: .cancelled
      case .job: .job
      case .jobs: .jobs
      case .care: .care
      case .storedRows: .storedRows
      case .drained: .drained
      case .fetchOptions: .fetchOptions
      case .scaled: .scaled
      case .pausing: .pausing
      case .batches: .batches
      case .changed: .changed
      }
  }

  var blank: Answer {
    switch self {
    case .rows: .rows(of: .none, after: 0, [])
    case .complete: .complete(.none, rows: 0)
    case .status: .status([])
    case .progress: .progress(of: .none, nil, at: Moment(unixMilliseconds: 0))
    case .requeued: .requeued(jobs: 0)
    case .cancelled: .cancelled(jobs: 0)
    case .job: .job(.none, nil)
    case .jobs: .jobs([], next: nil, to: nil)
    case .care: .care([])
    case .storedRows: .storedRows(after: .first, StoredRows())
    case .drained: .drained(.none, .gone)
    case .fetchOptions: .fetchOptions(nil)
    case .scaled: .scaled(.producer, to: 0)
    case .pausing: .pausing(.all, isPaused: false, wasChanged: false)
    case .batches: .batches([], next: nil, to: nil)
    case .changed: .changed(.none, isKnown: false)
    }
  }
}
