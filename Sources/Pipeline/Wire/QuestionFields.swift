extension Query: Archived {
  static var blank: Query { Query(replyTo: Address(""), .status) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &replyTo)
    coder.field(2, &deadline)
    coder.field(3, &id)
    coder.field(4, &fleetSize)
    question.code(&coder)
  }
}

/// Its fields stand among those of its query: which question it is, and what goes with it.
extension Query.Question {
  fileprivate mutating func code(_ coder: inout some Coder) {
    var kind = Kind(self)
    coder.need(10, &kind)
    if coder.isReading { self = kind.blank }
    switch self {
    case .rows(var batch, var confirmed, var limit):
      coder.need(11, &batch)
      coder.field(12, &confirmed)
      coder.field(13, &limit)
      self = .rows(of: batch, confirmed: confirmed, limit: limit)
    case .copies(var batch, var after, var limit):
      coder.need(11, &batch)
      coder.field(12, &after)
      coder.field(13, &limit)
      self = .copies(of: batch, after: after, limit: limit)
    case .status, .fetchOptions: break
    case .progress(var batch):
      coder.need(11, &batch)
      self = .progress(of: batch)
    case .requeue(var choice, let wanted):
      coder.need(11, &choice)
      var kinds = FailureKind.allCases.filter(wanted.contains)
      // Who does not know this must not requeue everything.
      coder.field(12, &kinds, isCritical: true)
      self = .requeue(choice, of: Set(kinds))
    case .cancel(var choice, var cause):
      coder.need(11, &choice)
      coder.field(12, &cause)
      self = .cancel(choice, cause: cause)
    case .job, .jobs, .care, .storedRows, .drain, .scale, .pause, .resume, .batches, .change:
      codeOperators(&coder)
    }
  }

  /// Those that operators ask.
  private mutating func codeOperators(_ coder: inout some Coder) {
    switch self {
    case .job(var id):
      coder.need(11, &id)
      self = .job(id)
    case .jobs(var listing):
      coder.need(11, &listing)
      self = .jobs(listing)
    case .care(var task, var isUnderWay):
      coder.need(11, &task)
      coder.field(12, &isUnderWay)
      self = .care(task, isUnderWay: isUnderWay)
    case .storedRows(var batch, var after):
      coder.field(11, &batch)
      coder.field(12, &after.value)
      self = .storedRows(of: batch, after: after)
    case .drain(var worker):
      coder.need(11, &worker)
      self = .drain(worker)
    case .scale(var role, var count):
      coder.need(11, &role)
      coder.field(12, &count)
      self = .scale(role, to: count)
    case .pause(var scope, var pause):
      coder.need(11, &scope)
      coder.need(12, &pause)
      self = .pause(scope, pause)
    case .resume(var scope):
      coder.need(11, &scope)
      self = .resume(scope)
    case .batches(var search):
      coder.need(11, &search)
      self = .batches(search)
    case .change(var batch, var terms):
      coder.need(11, &batch)
      coder.need(12, &terms)
      self = .change(batch, terms)
    case .rows, .copies, .status, .fetchOptions, .progress, .requeue, .cancel: break
    }
  }
}

private enum Kind: UInt8, FieldValue {
  case rows = 1
  case status, progress, requeue, cancel, copies, job, jobs, care, storedRows, drain, scale, fetchOptions
  case pause, resume, batches, change

  init(_ question: Query.Question) {
    self =
      switch question {
      case .rows: .rows
      case .status: .status
      case .progress: .progress
      case .requeue: .requeue
      case .cancel: .cancel
      case .copies: .copies
      case .job: .job
      case .jobs: .jobs
      case .care: .care
      case .storedRows: .storedRows
      case .drain: .drain
      case .scale: .scale
      case .fetchOptions: .fetchOptions
      case .pause: .pause
      case .resume: .resume
      case .batches: .batches
      case .change: .change
      }
  }

  var blank: Query.Question {
    switch self {
    case .rows: .rows(of: .none, confirmed: 0, limit: 0)
    case .status: .status
    case .progress: .progress(of: .none)
    case .requeue: .requeue(.blank)
    case .cancel: .cancel(.blank, cause: "")
    case .copies: .copies(of: .none, after: 0, limit: 0)
    case .job: .job(.none)
    case .jobs: .jobs(.blank)
    case .care: .care(.blank, isUnderWay: false)
    case .storedRows: .storedRows(of: nil, after: .first)
    case .drain: .drain(.none)
    case .scale: .scale(.producer, to: 0)
    case .fetchOptions: .fetchOptions
    case .pause: .pause(.all, .blank)
    case .resume: .resume(.all)
    case .batches: .batches(.blank)
    case .change: .change(.none, .blank)
    }
  }
}
