import FoundationEssentials
import Testing

@testable import Pipeline

/// What was once sent can be read for ever. A new version of the frame gets a folder of its own; with
/// HALYARD_WRITE_GOLDEN=1 in the environment the missing files of the current version are written.
struct GoldenFrameTests {
  private static let version = "v\(FrameLayout.major).\(FrameLayout.minor)"

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

  @Test(arguments: GoldenMessages.all.map(\.name))
  func `a frame of the former minor version is still the same message`(name: String) throws {
    let file = "v1.0/\(name).hex"
    guard try GoldenFiles.names().contains(file) else { return }
    let envelope = try #require(GoldenMessages.all.first { $0.name == name }?.envelope)
    #expect(try EnvelopeCodec.decode(try GoldenFiles.read(file)) == envelope)
  }

  /// That version is over: no frame is added to it, and none is taken away.
  @Test func `every golden frame of the former minor version belongs to a message`() throws {
    let former = try GoldenFiles.names().filter { $0.hasPrefix("v1.0/") }
    #expect(former.count == 61)
    #expect(Set(former).isSubset(of: GoldenMessages.all.map { "v1.0/\($0.name).hex" }))
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
    #expect(Set(codes) == Set((1...17).map { MessageCode(rawValue: $0)?.rawValue }))
  }
}
