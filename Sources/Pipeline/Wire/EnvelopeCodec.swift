/// Envelopes as binary frames, and back.
public enum EnvelopeCodec {
  /// Bytes of the largest frame there can be.
  public static let largestFrame =
    FrameLayout.headerBytes + FrameLayout.longestExtensions + FrameLayout.longestPayload

  /// The version of the frames that are written: major, then minor.
  public static let version = UInt16(FrameLayout.major) << 8 | UInt16(FrameLayout.minor)

  /// Bytes of the longest row that a message surely holds, with all that goes with it.
  public static let longestRow = FrameLayout.longestPayload - (64 << 10)

  /// Fails only when the message is larger than a frame may be.
  public static func encode(_ envelope: Envelope) throws(FrameTooLarge) -> [UInt8] {
    var frame = encodeMessage(envelope.message, .bytes)
    frame.header.laneSequence = envelope.laneSequence
    frame.header.secret = envelope.secret
    return try frame.finish()
  }

  /// Fails as `encode` would, and writes nothing: what a message takes is only counted.
  public static func check(_ message: Message) throws(FrameTooLarge) {
    try encodeMessage(message, .count).check()
  }

  /// What a message takes in its frame.
  public static func bytes(of message: Message) -> Int {
    FrameLayout.headerBytes + encodeMessage(message, .count).count
  }

  /// Whether a message is small enough for a frame.
  public static func fits(_ message: Message) -> Bool {
    do throws(FrameTooLarge) {
      try check(message)
      return true
    } catch {
      return false
    }
  }

  /// Takes exactly one frame; anything missing, left over or changed on the way is a typed error.
  public static func decode(_ frame: [UInt8]) throws(FrameError) -> Envelope {
    var reader = try FrameReader(frame)
    let message = try decodeMessage(&reader)
    guard reader.payload.isAtEnd else { throw .malformed("bytes after the payload") }
    return Envelope(message, laneSequence: reader.header.laneSequence, secret: reader.header.secret)
  }

  private static func encodeMessage(_ message: Message, _ form: ByteWriter.Form) -> FrameWriter {
    switch message {
    case .hello(let hello): hello.frame(form)
    case .roster(let roster): roster.frame(form)
    case .credit(let credit): credit.frame(form)
    case .submit(let submit): submit.frame(form)
    case .receipt(let receipt): receipt.frame(form)
    case .job(let order): order.frame(form)
    case .document(let document): document.frame(form)
    case .result(let result): result.frame(form)
    case .ack(let ack): ack.frame(form)
    case .giveBack(let giveBack): giveBack.frame(form)
    case .cancel(let cancel): cancel.frame(form)
    case .drain: FrameWriter(.drain, form)
    case .bye(let bye): bye.frame(form)
    case .query(let query): query.frame(form)
    case .answer(let answer): answer.frame(form)
    case .hostSlotRequest(let request): request.frame(form)
    case .hostSlotGrant(let grant): grant.frame(form)
    }
  }

  private static func decodeMessage(_ frame: inout FrameReader) throws(FrameError) -> Message {
    switch frame.header.message {
    case .hello: .hello(try Hello(&frame))
    case .roster: .roster(try Roster(&frame))
    case .credit: .credit(try Credit(&frame))
    case .submit: .submit(try Submit(&frame))
    case .receipt: .receipt(try Receipt(&frame))
    case .job: .job(try JobOrder(&frame))
    case .document: .document(try Document(&frame))
    case .result: .result(try JobResult(&frame))
    case .ack: .ack(try Ack(&frame))
    case .giveBack: .giveBack(try GiveBack(&frame))
    case .cancel: .cancel(try Cancel(&frame))
    case .drain: .drain
    case .bye: .bye(try Bye(&frame))
    case .query: .query(try Query(&frame))
    case .answer: .answer(try Answer(&frame))
    case .hostSlotRequest: .hostSlotRequest(try HostSlotRequest(&frame))
    case .hostSlotGrant: .hostSlotGrant(try HostSlotGrant(&frame))
    }
  }
}
