import Pipeline

/// Decodes the bytes as they are, and once more with lengths and checksum that fit.
@Sendable func checkEnvelope(_ bytes: [UInt8]) {
  checkFrame(bytes)
  checkFrame(repaired(bytes))
}

private func checkFrame(_ frame: [UInt8]) {
  guard let envelope = try? EnvelopeCodec.decode(frame) else { return }
  checkJSON(in: envelope.message)
  do {
    let again = try EnvelopeCodec.encode(envelope)
    require(try EnvelopeCodec.decode(again) == envelope, "\(envelope) changed by being sent")
  } catch {
    fatalError("\(envelope) cannot be sent: \(error)")
  }
}

/// Of questions and replies that go wherever they say.
private func checkJSON(in message: Message) {
  switch message {
  case .ask(let ask):
    checkAgain(ask, as: StatusQuestion.self)
    checkAgain(ask, as: JobListing.self)
    checkAgain(ask, as: BatchSearch.self)
    checkAgain(ask, as: RequeueOrder.self)
    checkAgain(ask, as: PauseOrder.self)
    checkAgain(ask, as: ChangeOrder.self)
    checkAgain(ask, as: CareOrder.self)
  case .tell(let tell):
    _ = try? tell.reply(as: JobListing.Reply.self)
    _ = try? tell.reply(as: FetchOptionsQuestion.Reply.self)
    _ = try? tell.reply(as: DrainOrder.Reply.self)
    _ = try? tell.reply(as: ProgressQuestion.Reply.self)
  default: break
  }
}

private func checkAgain<Question: FleetQuestion>(_ ask: Ask, as type: Question.Type) {
  guard let question = ask.question(as: type) else { return }
  let again = Ask(question, replyTo: ask.replyTo, id: ask.id).question(as: type)
  require(again == question, "\(question) changed by being sent")
}

private let headerBytes = 37
private let messages: UInt8 = 19

/// Chance does not find a checksum, so the frame's own rules are satisfied here and the messages' decoders are what
/// is left to fuzz.
func repaired(_ bytes: [UInt8]) -> [UInt8] {
  var frame = bytes + [UInt8](repeating: 0, count: max(0, headerBytes - bytes.count))
  frame.replaceSubrange(0..<4, with: [0x48, 0x59, 1, 0])
  if frame[4] == 0 || frame[4] > messages { frame[4] = 1 + frame[4] % messages }
  write(UInt32(frame.count - headerBytes), at: 5, in: &frame)
  write(checksum(frame[..<9] + frame[13...]), at: 9, in: &frame)
  return frame
}

private func write(_ value: UInt32, at offset: Int, in frame: inout [UInt8]) {
  for byte in 0..<4 { frame[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
}

/// CRC-32C, bit by bit.
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  var state: UInt32 = ~0
  for byte in bytes {
    state ^= UInt32(byte)
    for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0x82F6_3B78 : state >> 1 }
  }
  return ~state
}
