import FoundationEssentials
import Testing

@testable import Pipeline

/// What was once sent can be read for ever. A new version of the frame gets a folder of its own; with
/// HALYARD_WRITE_GOLDEN=1 in the environment the missing files of the current version are written.
struct GoldenFrameTests {
  private static let version = "v\(Frame.major).\(Frame.minor)"

  @Test(arguments: GoldenMessages.all.map(\.name))
  func `a message is the frame it always was, both ways`(name: String) throws {
    let envelope = try #require(GoldenMessages.all.first { $0.name == name }?.envelope)
    let file = "\(Self.version)/\(name).hex"
    let isWritten = try GoldenFiles.names().contains(file)
    if !isWritten, ProcessInfo.processInfo.environment["HALYARD_WRITE_GOLDEN"] == "1" {
      try GoldenFiles.write(EnvelopeCodec.encode(envelope), to: file)
    }
    let golden = try GoldenFiles.read(file)
    #expect(try EnvelopeCodec.encode(envelope) == golden)
    #expect(try EnvelopeCodec.decode(golden) == envelope)
  }

  @Test func `every golden frame of every version still decodes`() throws {
    let names = try GoldenFiles.names()
    #expect(names.count >= GoldenMessages.all.count)
    for name in names {
      #expect(throws: Never.self, "\(name)") { try EnvelopeCodec.decode(try GoldenFiles.read(name)) }
    }
  }

  @Test func `every message has a golden frame`() throws {
    let codes = try GoldenMessages.all.map { try EnvelopeCodec.encode($0.envelope)[4] }
    #expect(Set(codes) == Set(1...19))
  }
}
