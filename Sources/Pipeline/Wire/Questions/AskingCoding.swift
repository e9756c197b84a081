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
    if var value = frame.first(.differing) {
      differing = DifferingJobs(
        count: try value.integer("differing"), first: try value.integer("first that differs"))
    }
    if var value = frame.first(.failure) { refusal = try value.failure() }
  }
}

extension Query {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.query, form)
    frame.add(.address) { $0.text(replyTo.text) }
    if let deadline { frame.header.deadline = deadline.unixMilliseconds }
    frame.header.job = id ?? FrameHeader.noID
    if let batch = question.batch { frame.add(.batch) { $0.uuid(batch.uuid) } }
    if let fleetSize {
      frame.add(.fleetSize) {
        $0.integer(fleetSize.fetchers)
        $0.integer(fleetSize.decoders)
      }
    }
    question.write(to: &frame)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let replyTo = Address(try frame.text(.address))
    self.init(replyTo: replyTo, try Question(&frame))
    if frame.header.deadline != 0 { deadline = Moment(unixMilliseconds: frame.header.deadline) }
    id = frame.header.id
    if var size = frame.first(.fleetSize) {
      fleetSize = FleetSize(fetchers: try size.integer("fetchers"), decoders: try size.integer("decoders"))
    }
  }
}
