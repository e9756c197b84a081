extension Hello {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.hello, form)
    frame.add(.worker) { $0.uuid(worker.uuid) }
    frame.add(.role) { $0.integer(role.rawValue) }
    frame.add(.locality) { $0.text(locality) }
    frame.add(.address) { $0.text(address.text) }
    frame.add(.credit) {
      $0.integer(granted)
      $0.integer(received)
    }
    if messages > 0 { frame.add(.messages) { $0.integer(messages) } }
    program?.add(to: &frame)
    if let sandbox { frame.add(.sandbox) { $0.integer(sandbox.rawValue) } }
    frame.payload.tokens(held)
    frame.payload.tokens(executing)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let role = try frame.role()
    var credit = try frame.find(.credit)
    self.init(
      worker: try frame.worker(), role: role, locality: try frame.text(.locality),
      address: Address(try frame.text(.address)),
      granted: try credit.integer("granted"), received: try credit.integer("received"),
      held: try frame.payload.tokens("held"), executing: try frame.payload.tokens("executing"))
    if var found = frame.first(.messages) { messages = try found.integer("messages") }
    program = try WorkerProgram(frame)
    // A newer worker's other kind is none that is known here.
    if var found = frame.first(.sandbox) {
      sandbox = WorkerSandbox(rawValue: try found.integer("sandbox"))
    }
  }
}

extension Roster {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.roster, form)
    if let fetchOptions { frame.add(.fetchOptions) { $0.integer(fetchOptions) } }
    for peer in decoders { peer.write(to: &frame.payload) }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    var peers: [Peer] = []
    while !frame.payload.isAtEnd { peers.append(try Peer(&frame.payload)) }
    self.init(decoders: peers)
    if var found = frame.first(.fetchOptions) { fetchOptions = try found.integer("fetch options") }
  }
}

extension Roster.Peer {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.uuid(worker.uuid)
    writer.text(address.text)
    writer.secret(secret)
  }

  fileprivate init(_ reader: inout ByteReader) throws(FrameError) {
    self.init(
      worker: WorkerID(try reader.uuid("peer")), address: Address(try reader.text("peer's address")),
      secret: try reader.secret())
  }
}

extension Credit {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.credit, form)
    frame.add(.worker) { $0.uuid(from.uuid) }
    frame.add(.credit) { $0.integer(granted) }
    frame.payload.tokens(finished)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    var credit = try frame.find(.credit)
    self.init(
      from: try frame.worker(), granted: try credit.integer("granted"),
      finished: try frame.payload.tokens("finished"))
  }
}

extension Ack {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.ack, form)
    frame.payload.tokens(tokens)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    self.init(tokens: try frame.payload.tokens("tokens"))
  }
}

extension GiveBack {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.giveBack, form)
    frame.add(.worker) { $0.uuid(from.uuid) }
    frame.add(.reason) {
      $0.integer(reason.rawValue)
      $0.integer(executing)
    }
    if let peer { frame.add(.peer) { $0.uuid(peer.uuid) } }
    frame.payload.tokens(tokens)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    var field = try frame.find(.reason)
    guard let reason = Reason(rawValue: try field.integer("reason")) else { throw .malformed("reason") }
    self.init(
      from: try frame.worker(), tokens: try frame.payload.tokens("tokens"),
      executing: try field.integer("executing"), reason: reason)
    if var found = frame.first(.peer) { peer = WorkerID(try found.uuid("peer")) }
  }
}

extension Bye {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.bye, form)
    frame.add(.worker) { $0.uuid(worker.uuid) }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    self.init(worker: try frame.worker())
  }
}

extension HostSlotRequest {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.hostSlotRequest, form)
    frame.header.lease = token
    frame.header.flags = isUnderWay ? Self.underWayFlag : 0
    frame.add(.worker) { $0.uuid(from.uuid) }
    frame.add(.host) { $0.text(host) }
    frame.payload.integer(number)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    self.init(
      from: try frame.worker(), token: frame.header.lease,
      number: try frame.payload.integer("number"), host: try frame.text(.host))
    isUnderWay = frame.header.flags & Self.underWayFlag != 0
  }

  private static let underWayFlag: UInt16 = 1
}

extension HostSlotGrant {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.hostSlotGrant, form)
    frame.header.lease = token
    if let refusal { frame.add(.failure) { $0.failure(refusal) } }
    frame.payload.integer(number)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    var refusal: Failure?
    if var found = frame.first(.failure) { refusal = try found.failure() }
    self.init(
      token: frame.header.lease, number: try frame.payload.integer("number"), refusal: refusal)
  }
}
