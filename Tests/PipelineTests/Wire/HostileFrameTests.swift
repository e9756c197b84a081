import PipelineTesting
import Testing

@testable import Pipeline

/// 100,000 frames made of chance or of sound frames gone wrong, most of them with a checksum that fits, so that
/// they reach the decoders of the messages. Every seed is a test of its own.
struct HostileFrameTests {
  private static let roundsPerSeed = 12_500

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `never traps, and what decodes is stable`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let frames = try soundFrames(seed: seed)
    var accepted = 0
    for round in 0..<Self.roundsPerSeed {
      let frame = hostileFrame(from: frames, using: &random)
      guard let envelope = try? EnvelopeCodec.decode(frame) else { continue }
      accepted += 1
      let isStable = try EnvelopeCodec.decode(EnvelopeCodec.encode(envelope)) == envelope
      try #require(isStable, "seed \(seed), round \(round): \(frame)")
    }
    #expect(accepted > Self.roundsPerSeed / 50)
    #expect(accepted < Self.roundsPerSeed / 2)
  }

  private func soundFrames(seed: UInt64) throws -> [[UInt8]] {
    var messages = RandomMessages(seed: seed)
    let varied = (0..<60).map { messages.envelope($0 % RandomMessages.messageCount) }
    return try (GoldenMessages.all.map(\.envelope) + varied).map { try EnvelopeCodec.encode($0) }
  }

  private func hostileFrame(from frames: [[UInt8]], using random: inout SeededGenerator) -> [UInt8] {
    guard Int.random(in: 0..<10, using: &random) > 0, let sound = frames.randomElement(using: &random) else {
      return (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }
    var frame = FrameSurgery(on: sound)
    for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&frame, frames, using: &random) }
    if Int.random(in: 0..<10, using: &random) > 0 {
      if Bool.random(using: &random) { fixLengths(&frame) }
      frame.fixChecksum()
    }
    return frame.bytes
  }

  private func mutate(
    _ frame: inout FrameSurgery, _ frames: [[UInt8]], using random: inout SeededGenerator
  ) {
    guard !frame.bytes.isEmpty else { return }
    let place = Int.random(in: 0..<frame.bytes.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: frame.bytes[place] = .random(in: 0...255, using: &random)
    case 1: frame.bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: frame.bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    case 3: frame.bytes.remove(at: place)
    case 4: frame.bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 5: frame.bytes.removeSubrange(place...)
    default:
      let other = frames.randomElement(using: &random) ?? []
      frame.bytes.replaceSubrange(place..., with: other.dropFirst(place))
    }
  }

  /// Makes the length what is left of the frame, so that the message's own decoder sees it.
  private func fixLengths(_ frame: inout FrameSurgery) {
    guard frame.bytes.count >= Frame.headerBytes else { return }
    frame.write(UInt32(frame.bytes.count - Frame.headerBytes), at: FrameSurgery.Offset.length)
  }
}
