extension Submit {
  var frame: FrameWriter {
    var frame = FrameWriter(.submit)
    frame.header.flags = total == nil ? 0 : 1
    frame.add(.batch) { $0.uuid(batch.uuid) }
    frame.add(.address) { $0.text(replyTo.text) }
    frame.payload.integer(sequence)
    frame.payload.integer(total ?? 0)
    for job in jobs { frame.payload.job(job) }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let sequence = try frame.payload.integer("sequence", as: UInt32.self)
    let total = try frame.payload.integer("total", as: UInt64.self)
    var jobs: [Job] = []
    while !frame.payload.isAtEnd { jobs.append(try frame.payload.job()) }
    self.init(
      batch: try frame.batch(), sequence: sequence, replyTo: Address(try frame.text(.address)),
      jobs: jobs, total: frame.header.flags & 1 == 1 ? total : nil)
  }
}

extension Receipt {
  var frame: FrameWriter {
    var frame = FrameWriter(.receipt)
    frame.add(.batch) { $0.uuid(batch.uuid) }
    frame.payload.integer(sequence)
    frame.payload.integer(inserted)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    self.init(
      batch: try frame.batch(), sequence: try frame.payload.integer("sequence"),
      inserted: try frame.payload.integer("inserted"))
  }
}

extension Query {
  var frame: FrameWriter {
    var frame = FrameWriter(.query)
    frame.add(.address) { $0.text(replyTo.text) }
    switch question {
    case .rows(let batch, let confirmed, let limit):
      frame.header.flags = 1
      frame.add(.batch) { $0.uuid(batch.uuid) }
      frame.payload.integer(confirmed)
      frame.payload.integer(limit)
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let replyTo = Address(try frame.text(.address))
    switch frame.header.flags {
    case 1:
      let batch = try frame.batch()
      let confirmed = try frame.payload.integer("confirmed", as: UInt64.self)
      let limit = try frame.payload.integer("limit", as: UInt64.self)
      self.init(replyTo: replyTo, .rows(of: batch, confirmed: confirmed, limit: limit))
    default: throw .malformed("question")
    }
  }
}

extension Answer {
  var frame: FrameWriter {
    var frame = FrameWriter(.answer)
    switch self {
    case .rows(let batch, let rows):
      frame.header.flags = 1
      frame.add(.batch) { $0.uuid(batch.uuid) }
      for row in rows { frame.payload.row(row) }
    case .complete(let batch, let rows):
      frame.header.flags = 2
      frame.add(.batch) { $0.uuid(batch.uuid) }
      frame.payload.integer(rows)
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let batch = try frame.batch()
    switch frame.header.flags {
    case 1:
      var rows: [NumberedRow] = []
      while !frame.payload.isAtEnd { rows.append(try frame.payload.row()) }
      self = .rows(of: batch, rows)
    case 2: self = .complete(batch, rows: try frame.payload.integer("rows"))
    default: throw .malformed("answer")
    }
  }
}
