import FetchCurl
import Pipeline
import PipelineTesting
import Testing

/// Frames of HTTP/2 that carry nothing, without end.
@Suite(.timeLimit(.minutes(5)))
struct FrameFloodTests {
  struct Frame: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// Frames before them, as of an answer that they belong to.
    var start: [UInt8] = []
    /// What is told when there were too many.
    var tooMany: FailureKind { start.isEmpty ? .headerTooLarge : .protocolError }
    var explanation: String {
      start.isEmpty ? "its headers were not over" : "bytes that are mostly none of the body"
    }
    var testDescription: String { name }
  }

  static let frames = [
    Frame(name: "window updates", bytes: [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    Frame(name: "priorities", bytes: [0, 0, 5, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 15]),
    Frame(name: "unknown frames", bytes: [0, 0, 0, 66, 0, 0, 0, 0, 0]),
    // Behind ":status: 200".
    Frame(name: "empty data", bytes: [0, 0, 0, 0, 0, 0, 0, 0, 1], start: [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]),
  ]

  private static let settingsFrame: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

  private func server(of frame: Frame, in folder: TemporaryDirectory) throws -> TLSServer {
    try TLSServer(
      sending: Self.settingsFrame + frame.start,
      then: Array(repeatElement(frame.bytes, count: 20_000).joined()),
      options: ["-alpn", "h2"], in: folder.path)
  }

  @Test(arguments: frames)
  func `a flood of frames holds nobody up, and its exchange ends in time`(_ frame: Frame) async throws {
    let folder = try TemporaryDirectory()
    let flooding = try server(of: frame, in: folder)
    let other = RawServer(replying(page("ok")))
    let authority = try Certificates.shared.get().authority
    let fetching = CurlFetching(settings: loopbackSettings { $0.caFile = authority })
    defer {
      fetching.shutdown()
      other.stop()
    }
    async let flooded = fetching.fetch(
      FetchRequest(
        url: flooding.url(), body: .whole(capBytes: 100), deadline: deadline(inMilliseconds: 1_000)))
    for _ in 0..<10 {
      let answer = await fetching.fetch(
        FetchRequest(url: other.url, body: .whole(capBytes: 100), deadline: deadline()))
      #expect(try text(answer.get()) == "ok")
    }
    let failure = await flooded.failure
    #expect(failure?.kind == .timeout || failure?.kind == frame.tooMany)
  }

  @Test(arguments: frames)
  func `a flood that is larger than an exchange may be ends with a failure that says so`(
    _ frame: Frame
  ) async throws {
    let folder = try TemporaryDirectory()
    let flooding = try server(of: frame, in: folder)
    let authority = try Certificates.shared.get().authority
    let fetching = CurlFetching(
      settings: loopbackSettings {
        $0.caFile = authority
        $0.wireBodyCapBytes = 64 << 10
      })
    defer { fetching.shutdown() }
    let answer = await fetching.fetch(
      FetchRequest(url: flooding.url(), body: .whole(capBytes: 100), deadline: deadline()))
    #expect(answer.failure?.kind == frame.tooMany)
    #expect(answer.failure?.message.contains(frame.explanation) == true)
  }
}
