/// The records that several messages share: jobs, failures, rows.

extension ByteWriter {
  mutating func job(_ job: Job) {
    uuid(job.id.uuid)
    uuid(job.batch.uuid)
    integer(job.ordinal)
    jobBody(job)
  }

  /// All but its id, its batch and its place there.
  mutating func jobBody(_ job: Job) {
    integer(job.kind.rawValue)
    block { value in for step in job.slip.steps { value.integer(step.rawValue) } }
    integer(job.deadline?.unixMilliseconds ?? 0)
    optionalText(job.input)
    optionalText(job.ref)
    reading(job.reading, origin: job.origin)
    optionalFailure(job.refusal)
    integer(UInt16(clamping: job.kept.count))
    for column in job.kept.prefix(Int(UInt16.max)) {
      text(column.name)
      text(column.value)
    }
  }

  mutating func failure(_ failure: Failure) {
    text(failure.kind.rawValue)
    text(failure.stage.rawValue)
    text(failure.message)
    integer(UInt8(failure.retryable ? 1 : 0))
    integer(failure.retryAfterMilliseconds ?? -1)
  }

  mutating func optionalFailure(_ failure: Failure?) {
    integer(UInt8(failure == nil ? 0 : 1))
    if let failure { self.failure(failure) }
  }

  mutating func trace(_ points: [TracePoint]) {
    for point in points {
      integer(point.role.rawValue)
      integer(point.microseconds)
    }
  }

  mutating func row(_ row: NumberedRow) {
    integer(row.number)
    integer(row.ordinal)
    optionalText(row.failure?.rawValue)
    block(row.json)
  }
}

extension ByteReader {
  mutating func job() throws(FrameError) -> Job {
    let id = JobID(try uuid("job id"))
    let batch = BatchID(try uuid("batch"))
    let ordinal = try integer("ordinal", as: UInt64.self)
    return try jobBody(id, batch, ordinal)
  }

  mutating func jobBody(_ id: JobID, _ batch: BatchID, _ ordinal: UInt64) throws(FrameError) -> Job {
    guard let kind = JobKind(rawValue: try integer("kind")) else { throw .malformed("kind") }
    var job = Job(batch: batch, ordinal: ordinal, kind: kind, input: nil)
    job.id = id
    job.slip = RoutingSlip(try steps())
    job.deadline = try optionalMoment("deadline")
    job.input = try optionalText("input")
    job.ref = try optionalText("ref")
    (job.reading, job.origin) = try reading()
    job.refusal = try optionalFailure()
    var kept: [KeptColumn] = []
    for _ in 0..<(try integer("kept", as: UInt16.self)) {
      kept.append(KeptColumn(try text("kept"), try text("kept")))
    }
    job.kept = kept
    return job
  }

  private mutating func steps() throws(FrameError) -> [SlipStep] {
    let codes = try block("slip")
    guard (1...RoutingSlip.mostSteps).contains(codes.count) else { throw .malformed("slip") }
    var steps: [SlipStep] = []
    steps.reserveCapacity(codes.count)
    for code in codes {
      guard let step = SlipStep(rawValue: code) else { throw .malformed("slip") }
      steps.append(step)
    }
    return steps
  }

  mutating func failureKind() throws(FrameError) -> FailureKind {
    guard let kind = FailureKind(rawValue: try text("failure kind")) else { throw .malformed("failure kind") }
    return kind
  }

  mutating func failure() throws(FrameError) -> Failure {
    let kind = try failureKind()
    guard let stage = Stage(rawValue: try text("stage")) else { throw .malformed("stage") }
    let message = try text("failure message")
    let retryable = try flag("retryable")
    let wait = try integer("retry after", as: Int64.self)
    return Failure(
      kind, at: stage, message, retryable: retryable, retryAfterMilliseconds: wait < 0 ? nil : wait)
  }

  mutating func optionalFailure() throws(FrameError) -> Failure? {
    try flag("failure") ? failure() : nil
  }

  mutating func trace() throws(FrameError) -> [TracePoint] {
    var points: [TracePoint] = []
    // Each takes 9 bytes, and the next role adds its own.
    points.reserveCapacity(remaining / 9 + 1)
    while !isAtEnd {
      guard let role = Role(rawValue: try integer("role")) else { throw .malformed("role") }
      points.append(TracePoint(role: role, microseconds: try integer("trace")))
    }
    return points
  }

  mutating func row() throws(FrameError) -> NumberedRow {
    let number = try integer("row number", as: UInt64.self)
    let ordinal = try integer("row ordinal", as: UInt64.self)
    var failure: FailureKind?
    if let name = try optionalText("row failure") {
      guard let kind = FailureKind(rawValue: name) else { throw .malformed("row failure") }
      failure = kind
    }
    return NumberedRow(number: number, ordinal: ordinal, failure: failure, json: Array(try block("row")))
  }
}
