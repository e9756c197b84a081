/// What a QUERY asks for. Its flags tell which question it is.
extension Query.Question {
  func write(to frame: inout FrameWriter) {
    switch self {
    case .rows(_, let confirmed, let limit):
      frame.header.flags = 1
      frame.payload.integer(confirmed)
      frame.payload.integer(limit)
    case .status: frame.header.flags = 2
    case .progress: frame.header.flags = 3
    case .requeue(let choice, let kinds):
      frame.header.flags = 4
      frame.payload.choice(choice)
      // Who does not know this must not requeue everything.
      guard !kinds.isEmpty else { return }
      frame.add(.failureKinds, mustUnderstand: true) { value in
        for kind in FailureKind.allCases where kinds.contains(kind) { value.text(kind.rawValue) }
      }
    case .cancel(let choice, let cause):
      frame.header.flags = 5
      frame.payload.choice(choice)
      frame.payload.text(cause)
    case .copies(_, let after, let limit):
      frame.header.flags = 6
      frame.payload.integer(after)
      frame.payload.integer(limit)
    case .job, .jobs, .care, .storedRows, .drain, .fetchOptions, .scale, .pause, .resume, .batches, .change:
      writeOperators(to: &frame)
    }
  }

  /// Those that operators ask.
  private func writeOperators(to frame: inout FrameWriter) {
    switch self {
    case .job(let id):
      frame.header.flags = QuestionCode.job
      frame.payload.uuid(id.uuid)
    case .jobs(let listing):
      frame.header.flags = QuestionCode.jobs
      frame.payload.listing(listing)
    case .care(let task, let isUnderWay):
      frame.header.flags = QuestionCode.care
      frame.payload.care(task, isUnderWay: isUnderWay)
    case .storedRows(_, let after):
      frame.header.flags = QuestionCode.storedRows
      frame.payload.integer(after.value)
    case .drain(let worker):
      frame.header.flags = QuestionCode.drain
      frame.add(.worker) { $0.uuid(worker.uuid) }
    case .fetchOptions: frame.header.flags = QuestionCode.fetchOptions
    case .scale(let role, let count):
      frame.header.flags = QuestionCode.scale
      frame.add(.role) { $0.integer(role.rawValue) }
      frame.payload.integer(count)
    case .pause(let scope, let pause):
      frame.header.flags = QuestionCode.pause
      frame.add(hostOf: scope)
      frame.payload.pause(pause)
    case .resume(let scope):
      frame.header.flags = QuestionCode.resume
      frame.add(hostOf: scope)
    case .batches(let search):
      frame.header.flags = QuestionCode.batches
      frame.payload.search(search)
    case .change(_, let terms):
      frame.header.flags = QuestionCode.change
      terms.add(to: &frame)
    case .rows, .status, .progress, .requeue, .cancel, .copies: break
    }
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    switch frame.header.flags {
    case 1:
      let confirmed = try frame.payload.integer("confirmed", as: UInt64.self)
      let limit = try frame.payload.integer("limit", as: UInt64.self)
      self = .rows(of: try frame.batch(), confirmed: confirmed, limit: limit)
    case 2: self = .status
    case 3: self = .progress(of: try frame.batch())
    case 4:
      let choice = try frame.payload.choice(of: try frame.optionalBatch())
      self = .requeue(choice, of: try frame.failureKinds())
    case 5:
      let choice = try frame.payload.choice(of: try frame.optionalBatch())
      self = .cancel(choice, cause: try frame.payload.text("cause"))
    case 6:
      let after = try frame.payload.integer("after", as: UInt64.self)
      let limit = try frame.payload.integer("limit", as: UInt64.self)
      self = .copies(of: try frame.batch(), after: after, limit: limit)
    default: self = try Self.operators(&frame)
    }
  }

  private static func operators(_ frame: inout FrameReader) throws(FrameError) -> Query.Question {
    switch frame.header.flags {
    case QuestionCode.job: return .job(JobID(try frame.payload.uuid("job")))
    case QuestionCode.jobs:
      var listing = try frame.payload.listing()
      if var batch = frame.first(.batch) { listing.search.batch = BatchID(try batch.uuid("batch")) }
      return .jobs(listing)
    case QuestionCode.care: return try frame.payload.care(of: try frame.optionalBatch())
    case QuestionCode.storedRows:
      let after = RowPlace(try frame.payload.integer("after", as: UInt64.self))
      return .storedRows(of: try frame.optionalBatch(), after: after)
    case QuestionCode.drain: return .drain(try frame.worker())
    case QuestionCode.fetchOptions: return .fetchOptions
    case QuestionCode.scale:
      let count = try frame.payload.integer("count", as: UInt32.self)
      return .scale(try frame.role(), to: count)
    case QuestionCode.pause: return .pause(try frame.pauseScope(), try frame.payload.pause())
    case QuestionCode.resume: return .resume(try frame.pauseScope())
    case QuestionCode.batches: return .batches(try frame.payload.search())
    case QuestionCode.change: return .change(try frame.batch(), try BatchTerms(frame) ?? BatchTerms())
    default: throw .malformed("question")
    }
  }

  var batch: BatchID? {
    switch self {
    case .rows(let batch, _, _), .copies(let batch, _, _), .progress(let batch), .change(let batch, _): batch
    case .requeue(let choice, _), .cancel(let choice, _): choice.batch
    case .jobs(let listing): listing.search.batch
    case .care(.forget(let choice, _), _): choice.batch
    case .storedRows(let batch, _): batch
    case .pause(let scope, _), .resume(let scope): scope.batch
    case .status, .job, .care, .drain, .scale, .fetchOptions, .batches: nil
    }
  }
}

extension FrameReader {
  fileprivate func failureKinds() throws(FrameError) -> Set<FailureKind> {
    var kinds: Set<FailureKind> = []
    for var value in findAll(.failureKinds) {
      while !value.isAtEnd { kinds.insert(try value.failureKind()) }
    }
    return kinds
  }
}
