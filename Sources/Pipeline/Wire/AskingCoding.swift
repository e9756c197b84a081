extension Submit {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.submit, form)
    frame.header.flags = total == nil ? 0 : 1
    frame.add(.batch) { $0.uuid(batch.uuid) }
    frame.add(.address) { $0.text(replyTo.text) }
    terms?.add(to: &frame)
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
      jobs: jobs, total: frame.header.flags & 1 == 1 ? total : nil, terms: try BatchTerms(frame))
  }
}

extension Receipt {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.receipt, form)
    frame.add(.batch) { $0.uuid(batch.uuid) }
    if let differing {
      frame.add(.differing) { value in
        value.integer(differing.count)
        value.integer(differing.first)
      }
    }
    if let refusal { frame.add(.failure) { $0.failure(refusal) } }
    frame.payload.integer(sequence)
    frame.payload.integer(inserted)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    self.init(
      batch: try frame.batch(), sequence: try frame.payload.integer("sequence"),
      inserted: try frame.payload.integer("inserted"))
    if var value = frame.findAll(.differing).first {
      differing = DifferingJobs(
        count: try value.integer("differing"), first: try value.integer("first that differs"))
    }
    if var value = frame.findAll(.failure).first { refusal = try value.failure() }
  }
}

extension Query {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.query, form)
    frame.add(.address) { $0.text(replyTo.text) }
    if let deadline { frame.header.deadline = deadline.unixMilliseconds }
    frame.header.job = id ?? FrameHeader.noID
    if let batch = question.batch { frame.add(.batch) { $0.uuid(batch.uuid) } }
    switch question {
    case .rows(_, let confirmed, let limit):
      frame.header.flags = 1
      frame.payload.integer(confirmed)
      frame.payload.integer(limit)
    case .status: frame.header.flags = 2
    case .progress: frame.header.flags = 3
    case .requeue: frame.header.flags = 4
    case .cancel(_, let cause):
      frame.header.flags = 5
      frame.payload.text(cause)
    case .copies(_, let after, let limit):
      frame.header.flags = 6
      frame.payload.integer(after)
      frame.payload.integer(limit)
    case .pause(let scope):
      frame.header.flags = 20
      frame.add(hostOf: scope)
    case .resume(let scope):
      frame.header.flags = 21
      frame.add(hostOf: scope)
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let replyTo = Address(try frame.text(.address))
    switch frame.header.flags {
    case 1:
      let confirmed = try frame.payload.integer("confirmed", as: UInt64.self)
      let limit = try frame.payload.integer("limit", as: UInt64.self)
      self.init(replyTo: replyTo, .rows(of: try frame.batch(), confirmed: confirmed, limit: limit))
    case 2: self.init(replyTo: replyTo, .status)
    case 3: self.init(replyTo: replyTo, .progress(of: try frame.batch()))
    case 4: self.init(replyTo: replyTo, .requeue(try frame.batch()))
    case 5:
      let cause = try frame.payload.text("cause")
      self.init(replyTo: replyTo, .cancel(try frame.batch(), cause: cause))
    case 6:
      let after = try frame.payload.integer("after", as: UInt64.self)
      let limit = try frame.payload.integer("limit", as: UInt64.self)
      self.init(replyTo: replyTo, .copies(of: try frame.batch(), after: after, limit: limit))
    case 20: self.init(replyTo: replyTo, .pause(try frame.pauseScope()))
    case 21: self.init(replyTo: replyTo, .resume(try frame.pauseScope()))
    default: throw .malformed("question")
    }
    if frame.header.deadline != 0 { deadline = Moment(unixMilliseconds: frame.header.deadline) }
    id = frame.header.id
  }
}

extension Query.Question {
  fileprivate var batch: BatchID? {
    switch self {
    case .rows(let batch, _, _), .copies(let batch, _, _), .progress(let batch), .requeue(let batch),
      .cancel(let batch, _):
      batch
    case .pause(let scope), .resume(let scope): scope.batch
    case .status: nil
    }
  }
}
