extension Role: FieldValue {}
extension GiveBack.Reason: FieldValue {}

extension Address: FieldValue {
  static let form = FieldForm.block

  var byteCount: Int? { text.utf8.count }

  func write(to writer: inout ByteWriter) { writer.text(text) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    self.init(try String(&reader))
  }
}

extension Hello: Archived {
  static var blank: Hello {
    Hello(worker: .none, role: .producer, locality: "", address: Address(""), granted: 0, received: 0)
  }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &worker)
    coder.need(2, &role)
    coder.field(3, &locality)
    coder.need(4, &address)
    coder.field(5, &granted)
    coder.field(6, &received)
    coder.packed(7, &held)
    coder.packed(8, &executing)
    coder.field(9, &messages)
    coder.field(10, &program)
    // A newer worker's other kind is none that is known here.
    var kind = sandbox?.rawValue
    coder.field(11, &kind)
    sandbox = kind.flatMap(WorkerSandbox.init)
  }
}

extension WorkerProgram: Archived {
  static let blank = WorkerProgram(version: "", wire: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &version)
    coder.require(version.utf8.count <= Self.longestText, "version")
    coder.field(2, &wire)
    coder.field(3, &process)
  }
}

extension Roster: Archived {
  static let blank = Roster(decoders: [])

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &fetchOptions)
    coder.field(2, &decoders)
  }
}

extension Roster.Peer: Archived {
  static var blank: Roster.Peer { Roster.Peer(worker: .none, address: Address("")) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &worker)
    coder.need(2, &address)
    coder.need(3, &secret)
  }
}

extension Credit: Archived {
  static var blank: Credit { Credit(from: .none, granted: 0) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.field(2, &granted)
    coder.packed(3, &finished)
  }
}

extension Ack: Archived {
  static let blank = Ack(tokens: [])

  mutating func code(_ coder: inout some Coder) {
    coder.packed(1, &tokens)
  }
}

extension GiveBack: Archived {
  static var blank: GiveBack { GiveBack(from: .none, tokens: [], reason: .draining) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.need(2, &reason)
    coder.field(3, &executing)
    coder.field(4, &peer)
    coder.packed(5, &tokens)
  }
}

extension Bye: Archived {
  static var blank: Bye { Bye(worker: .none) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &worker)
  }
}

extension HostSlotRequest: Archived {
  static var blank: HostSlotRequest {
    HostSlotRequest(from: .none, token: LeaseToken(0), number: 0, host: "")
  }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &from)
    coder.need(2, &token)
    coder.field(3, &number)
    coder.need(4, &host)
    coder.field(5, &isUnderWay)
  }
}

extension HostSlotGrant: Archived {
  static var blank: HostSlotGrant { HostSlotGrant(token: LeaseToken(0), number: 0) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &token)
    coder.field(2, &number)
    coder.field(3, &refusal)
  }
}

extension Cancel: Archived {
  static var blank: Cancel { Cancel(.leases([]), cause: "") }

  mutating func code(_ coder: inout some Coder) {
    var kind: UInt8
    var (batch, tokens, ordinals): (BatchID?, [LeaseToken], [UInt64]) = (nil, [], [])
    switch scope {
    case .leases(let leases): (kind, tokens) = (1, leases)
    case .waiting(let of): (kind, batch) = (2, of)
    case .all(let of): (kind, batch) = (3, of)
    case .jobs(let of, let places): (kind, batch, ordinals) = (4, of, places)
    }
    coder.field(1, &cause)
    coder.need(2, &kind)
    coder.field(3, &batch)
    coder.packed(4, &tokens)
    coder.packed(5, &ordinals)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, nil): scope = .leases(tokens)
    case (2, let batch?): scope = .waiting(batch)
    case (3, let batch?): scope = .all(batch)
    case (4, let batch?): scope = .jobs(of: batch, ordinals)
    default: coder.require(false, "scope")
    }
  }
}
