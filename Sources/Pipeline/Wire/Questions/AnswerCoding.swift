extension Answer {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.answer, form)
    if let batch { frame.add(.batch) { $0.uuid(batch.uuid) } }
    switch self {
    case .rows(_, let after, let rows):
      frame.header.flags = 1
      if after != Self.defaultStart(before: rows) { frame.add(.after) { $0.integer(after) } }
      for row in rows { frame.payload.row(row) }
    case .complete(_, let rows):
      frame.header.flags = 2
      frame.payload.integer(rows)
    case .status(let json):
      frame.header.flags = 3
      frame.payload.block(json)
    case .progress(_, let progress, let moment):
      frame.header.flags = 4
      frame.header.deadline = moment.unixMilliseconds
      progress?.addEnds(to: &frame)
      if let pause = progress?.pause { frame.add(.pause) { $0.knownPause(pause) } }
      frame.payload.optionalProgress(progress)
    case .requeued(let jobs, let query):
      frame.answers(query, 5)
      frame.payload.integer(jobs)
    case .cancelled(let jobs, let query):
      frame.answers(query, 6)
      frame.payload.integer(jobs)
    case .job, .jobs, .care, .storedRows, .drained, .scaled, .fetchOptions, .pausing, .batches, .changed:
      writeToOperator(in: &frame)
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    switch frame.header.flags {
    case 1:
      var rows: [NumberedRow] = []
      while !frame.payload.isAtEnd { rows.append(try frame.payload.row()) }
      var after = Self.defaultStart(before: rows)
      if var found = frame.first(.after) { after = try found.integer("after") }
      self = .rows(of: try frame.batch(), after: after, rows)
    case 2: self = .complete(try frame.batch(), rows: try frame.payload.integer("rows"))
    case 3: self = .status(Array(try frame.payload.block("status")))
    case 4:
      var progress = try frame.payload.optionalProgress()
      if var ends = frame.first(.batchEnds) {
        progress?.cancelled = try ends.integer("cancelled")
        progress?.isAbandoned = try ends.flag("abandoned")
        if !ends.isAtEnd { progress?.isPaused = try ends.flag("paused") }
      }
      if var pause = frame.first(.pause) { progress?.pause = try pause.knownPause() }
      self = .progress(
        of: try frame.batch(), progress, at: Moment(unixMilliseconds: frame.header.deadline))
    case 5:
      self = .requeued(jobs: try frame.payload.integer("jobs"), to: frame.header.id)
    case 6:
      self = .cancelled(jobs: try frame.payload.integer("jobs"), to: frame.header.id)
    default: self = try Answer.toOperator(&frame)
    }
  }

  /// Numbers have no gaps, unless a row was withdrawn.
  private static func defaultStart(before rows: [NumberedRow]) -> UInt64 {
    guard let first = rows.first, first.number > 0 else { return 0 }
    return first.number - 1
  }

  private var batch: BatchID? {
    switch self {
    case .rows(let batch, _, _), .complete(let batch, _), .progress(let batch, _, _),
      .changed(let batch, _, _):
      batch
    case .pausing(let scope, _, _, _): scope.batch
    case .status, .care, .storedRows, .job, .jobs, .drained, .fetchOptions, .scaled, .requeued, .cancelled,
      .batches:
      nil
    }
  }
}

extension FrameWriter {
  mutating func answers(_ query: UUIDv7?, _ code: UInt16) {
    (header.job, header.flags) = (query ?? FrameHeader.noID, code)
  }
}

extension BatchProgress {
  /// What most batches do not have.
  fileprivate func addEnds(to frame: inout FrameWriter) {
    guard cancelled > 0 || isAbandoned || isPaused else { return }
    frame.add(.batchEnds) {
      $0.integer(cancelled)
      $0.integer(UInt8(isAbandoned ? 1 : 0))
      if isPaused { $0.integer(UInt8(1)) }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func optionalProgress(_ progress: BatchProgress?) {
    integer(UInt8(progress == nil ? 0 : 1))
    guard let progress else { return }
    integer(UInt8(progress.total == nil ? 0 : 1))
    integer(progress.total ?? 0)
    integer(progress.rows)
    integer(progress.settled)
    integer(progress.failed)
  }
}

extension ByteReader {
  fileprivate mutating func optionalProgress() throws(FrameError) -> BatchProgress? {
    guard try flag("progress") else { return nil }
    let isClosed = try flag("closed")
    let total = try integer("total", as: UInt64.self)
    return BatchProgress(
      total: isClosed ? total : nil, rows: try integer("rows"), settled: try integer("settled"),
      failed: try integer("failed"))
  }
}
