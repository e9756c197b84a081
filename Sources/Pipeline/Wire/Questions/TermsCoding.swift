/// A batch's terms as fields of an extension: a code (u8), a length (u32) and a value each. A reader skips codes that
/// it does not know.
extension BatchTerms {
  private enum Field: UInt8 {
    case name = 1
    case weight = 2
    case atMost = 3
    case perHour = 4
    case startsAt = 5
    case deadline = 6
  }

  func add(to frame: inout FrameWriter) {
    frame.add(.terms) { writer in
      if let name { writer.field(Field.name.rawValue) { $0.raw(Array(name.utf8)) } }
      if let weight { writer.field(Field.weight.rawValue) { $0.integer(weight) } }
      if let atMost { writer.field(Field.atMost.rawValue) { $0.integer(atMost) } }
      if let perHour { writer.field(Field.perHour.rawValue) { $0.integer(perHour) } }
      if let startsAt { writer.field(Field.startsAt.rawValue) { $0.integer(startsAt.unixMilliseconds) } }
      if let deadline { writer.field(Field.deadline.rawValue) { $0.integer(deadline.unixMilliseconds) } }
    }
  }

  /// nil when the frame has none.
  init?(_ frame: FrameReader) throws(FrameError) {
    guard var reader = frame.first(.terms) else { return nil }
    self.init()
    while !reader.isAtEnd {
      let code = try reader.integer("term", as: UInt8.self)
      var value = ByteReader(try reader.block("term"))
      switch Field(rawValue: code) {
      case .name:
        guard let text = String(validating: value.rest(), as: UTF8.self) else { throw .malformed("name") }
        name = text
      case .weight: weight = try value.integer("weight")
      case .atMost: atMost = try value.integer("limit")
      case .perHour: perHour = try value.integer("rate")
      case .startsAt: startsAt = Moment(unixMilliseconds: try value.integer("start"))
      case .deadline: deadline = Moment(unixMilliseconds: try value.integer("deadline"))
      case nil: continue
      }
      guard value.isAtEnd else { throw .malformed("term") }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func field(_ code: UInt8, _ fill: (inout ByteWriter) -> Void) {
    integer(code)
    block(fill)
  }
}

/// A pause is of the batch or the host that the frame names, or of everything.
extension PauseScope {
  public var batch: BatchID? { if case .batch(let batch) = self { batch } else { nil } }
}

extension ByteWriter {
  mutating func pause(_ pause: Pause) {
    text(pause.by)
    optionalText(pause.reason)
    integer(pause.at.unixMilliseconds)
    integer(pause.lastsMilliseconds ?? 0)
  }

  /// What a pause is of stands beside it: 0 is everything, 1 a host, 2 a batch.
  mutating func knownPause(_ known: KnownPause) {
    switch known.scope {
    case .all: integer(UInt8(0))
    case .host(let host):
      integer(UInt8(1))
      text(host)
    case .batch(let batch):
      integer(UInt8(2))
      uuid(batch.uuid)
    }
    pause(known.pause)
  }
}

extension ByteReader {
  mutating func pause() throws(FrameError) -> Pause {
    let (author, reason) = (try text("author"), try optionalText("reason"))
    let moment = Moment(unixMilliseconds: try integer("since"))
    let lasts = try integer("time", as: Int64.self)
    return Pause(by: author, reason: reason, at: moment, lastsMilliseconds: lasts > 0 ? lasts : nil)
  }

  mutating func knownPause() throws(FrameError) -> KnownPause {
    let scope: PauseScope
    switch try integer("scope", as: UInt8.self) {
    case 0: scope = .all
    case 1: scope = .host(try text("host"))
    case 2: scope = .batch(BatchID(try uuid("batch")))
    default: throw .malformed("scope")
    }
    return KnownPause(scope, try pause())
  }
}

extension FrameWriter {
  mutating func add(hostOf scope: PauseScope) {
    if case .host(let host) = scope { add(.host) { $0.text(host) } }
  }
}

extension FrameReader {
  func pauseScope() throws(FrameError) -> PauseScope {
    if let batch = try optionalBatch() { return .batch(batch) }
    guard first(.host) != nil else { return .all }
    let host = try text(.host)
    guard !host.isEmpty, host.utf8.count <= HostSlotRequest.longestHost else { throw .malformed("host") }
    return .host(host)
  }
}
