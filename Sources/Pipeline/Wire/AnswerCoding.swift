extension Answer {
  var frame: FrameWriter {
    var frame = FrameWriter(.answer)
    if let batch { frame.add(.batch) { $0.uuid(batch.uuid) } }
    switch self {
    case .rows(_, let rows):
      frame.header.flags = 1
      for row in rows { frame.payload.row(row) }
    case .complete(_, let rows):
      frame.header.flags = 2
      frame.payload.integer(rows)
    case .status(let json):
      frame.header.flags = 3
      frame.payload.block(json)
    case .progress(_, let progress):
      frame.header.flags = 4
      frame.payload.optionalProgress(progress)
    case .requeued(_, let jobs):
      frame.header.flags = 5
      frame.payload.integer(jobs)
    case .cancelled(_, let jobs):
      frame.header.flags = 6
      frame.payload.integer(jobs)
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    switch frame.header.flags {
    case 1:
      var rows: [NumberedRow] = []
      while !frame.payload.isAtEnd { rows.append(try frame.payload.row()) }
      self = .rows(of: try frame.batch(), rows)
    case 2: self = .complete(try frame.batch(), rows: try frame.payload.integer("rows"))
    case 3: self = .status(Array(try frame.payload.block("status")))
    case 4: self = .progress(of: try frame.batch(), try frame.payload.optionalProgress())
    case 5: self = .requeued(try frame.batch(), jobs: try frame.payload.integer("jobs"))
    case 6: self = .cancelled(try frame.batch(), jobs: try frame.payload.integer("jobs"))
    default: throw .malformed("answer")
    }
  }

  private var batch: BatchID? {
    switch self {
    case .rows(let batch, _), .complete(let batch, _), .progress(let batch, _), .requeued(let batch, _),
      .cancelled(let batch, _):
      batch
    case .status: nil
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
