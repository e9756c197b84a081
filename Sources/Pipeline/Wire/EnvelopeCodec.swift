/// Envelopes as binary frames, and back.
public enum EnvelopeCodec {
  /// Bytes of the largest frame there can be.
  public static let largestFrame =
    FrameLayout.headerBytes + FrameLayout.longestExtensions + FrameLayout.longestPayload

  /// Bytes of the longest row that a message surely holds, with all that goes with it.
  public static let longestRow = FrameLayout.longestPayload - (64 << 10)

  /// Fails only when the message is larger than a frame may be.
  public static func encode(_ envelope: Envelope) throws(FrameTooLarge) -> [UInt8] {
    var frame = encodeMessage(envelope.message)
    frame.header.laneSequence = envelope.laneSequence
    return try frame.finish()
  }

  /// Takes exactly one frame; anything missing, left over or changed on the way is a typed error.
  public static func decode(_ frame: [UInt8]) throws(FrameError) -> Envelope {
    var reader = try FrameReader(frame)
    let message = try decodeMessage(&reader)
    guard reader.payload.isAtEnd else { throw .malformed("bytes after the payload") }
    return Envelope(message, laneSequence: reader.header.laneSequence)
  }

  private static func encodeMessage(_ message: Message) -> FrameWriter {
    switch message {
    case .hello(let hello): hello.frame
    case .roster(let roster): roster.frame
    case .credit(let credit): credit.frame
    case .submit(let submit): submit.frame
    case .receipt(let receipt): receipt.frame
    case .job(let order): order.frame
    case .document(let document): document.frame
    case .result(let result): result.frame
    case .ack(let ack): ack.frame
    case .giveBack(let giveBack): giveBack.frame
    case .cancel(let cancel): cancel.frame
    case .drain: FrameWriter(.drain)
    case .bye(let bye): bye.frame
    case .query(let query): query.frame
    case .answer(let answer): answer.frame
    case .visit(let visit): visit.frame
    case .go(let go): go.frame
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
    case .visit: .visit(try Visit(&frame))
    case .go: .go(try Go(&frame))
    }
  }
}
