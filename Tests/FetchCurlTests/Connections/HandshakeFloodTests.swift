import FetchCurl
import Foundation
import Pipeline
import PipelineTesting
import Synchronization
import Testing

/// What a server may send before its TLS handshake is over.
@Suite(.timeLimit(.minutes(5)))
struct HandshakeFloodTests {
  /// What comes once, then what comes for ever.
  struct Flood: Sendable, CustomTestStringConvertible {
    let name: String
    var start: [UInt8] = []
    let rest: [UInt8]
    /// OpenSSL by itself would read it for ever.
    var isReadOn = false
    var testDescription: String { name }
  }

  private static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [type, 3, 3, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  private static let helloRequest: [UInt8] = [0, 0, 0, 0]

  static let floods = [
    Flood(name: "hello requests", rest: record(22, helloRequest), isReadOn: true),
    Flood(
      name: "records full of hello requests",
      rest: record(22, Array(repeatElement(helloRequest, count: 4_096).joined())), isReadOn: true),
    Flood(name: "empty records", rest: record(22, [])),
    Flood(name: "changes of the cipher", rest: record(20, [1])),
    Flood(name: "warnings", rest: record(21, [1, 90])),
    Flood(
      name: "a message of 16 MB", start: record(22, [2, 0xFF, 0xFF, 0xFF]),
      rest: record(22, [UInt8](repeating: 0, count: 16_384))),
  ]

  /// A socket of this machine holds several MB in its buffers.
  private static let most = 32 << 20

  @Test(arguments: floods)
  func `a flood in a handshake ends, and holds nobody up`(_ flood: Flood) async throws {
    let sent = Atomic(0)
    let flooding = RawServer { peer in
      let piece = Array(repeatElement(flood.rest, count: max(1, 60_000 / flood.rest.count)).joined())
      guard peer.send(flood.start) else { return }
      while sent.load(ordering: .relaxed) < Self.most, peer.send(piece) {
        sent.add(piece.count, ordering: .relaxed)
      }
    }
    let other = RawServer(replying(page("ok")))
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      flooding.stop()
      other.stop()
    }
    let url = "https://127.0.0.1:\(flooding.port)/"
    let failure = await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline())).failure
    #expect(failure?.kind == .tls)
    #expect(failure?.stage == .tls)
    if flood.isReadOn {
      #expect(
        failure?.message
          == "fetch \(url): 127.0.0.1 sends more in its TLS handshake than a handshake takes")
    }
    #expect(sent.load(ordering: .relaxed) < Self.most)
    let answer = await fetching.fetch(
      FetchRequest(url: other.url, body: .whole(capBytes: 100), deadline: deadline()))
    #expect(try text(answer.get()) == "ok")
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `what comes after the handshake does not count, and takes as many turns as it needs`(_ version: String)
    async throws
  {
    let folder = try TemporaryDirectory()
    try Data(repeating: 120, count: 4 << 20).write(to: URL(fileURLWithPath: folder.file("large")))
    let server = try TLSServer(.good, options: [version, "-WWW"], folder: folder.path)
    let authority = try Certificates.shared.get().authority
    let fetching = CurlFetching(settings: loopbackSettings { $0.caFile = authority })
    defer { fetching.shutdown() }
    let answer = await fetching.fetch(
      FetchRequest(url: server.url() + "large", body: .whole(capBytes: 5 << 20), deadline: deadline()))
    #expect(try answer.get().body.count == 4 << 20)
  }

  /// `openssl s_server` sends a new key, or asks for a new handshake, for each piece of its input that begins so.
  @Test(arguments: [("-tls1_3", "K"), ("-tls1_2", "r")])
  func `a flood after the handshake holds nobody up`(_ version: String, _ command: String) async throws {
    let server = try TLSServer(.good, options: [version], commands: command)
    let other = RawServer(replying(page("ok")))
    let authority = try Certificates.shared.get().authority
    let fetching = CurlFetching(settings: loopbackSettings { $0.caFile = authority })
    defer {
      fetching.shutdown()
      other.stop()
    }
    async let flooded = fetching.fetch(
      FetchRequest(url: server.url(), body: .nothing, deadline: deadline(inMilliseconds: 1_500)))
    let answer = await fetching.fetch(
      FetchRequest(url: other.url, body: .whole(capBytes: 100), deadline: deadline()))
    #expect(try text(answer.get()) == "ok")
    #expect(await flooded.failure != nil)
  }
}
