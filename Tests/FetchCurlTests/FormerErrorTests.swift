import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

/// What one exchange leaves behind must not colour the next one.
@Suite(.timeLimit(.minutes(10)))
struct FormerErrorTests {
  /// The first connection is lost when it is used again, which libcurl makes good by itself.
  private final class Server: Sendable {
    let raw: RawServer

    init(silentInstead: Bool) {
      let connections = Atomic(0)
      raw = RawServer { peer in
        let number = connections.add(1, ordering: .relaxed).newValue
        guard peer.readRequest() != nil else { return }
        switch number {
        case 1:
          peer.send(page("first"))
          _ = peer.readRequest()
          peer.resetOnClose()
        case 2 where silentInstead: peer.awaitHangUp()
        case 2:
          peer.send(page("second", headers: ["Connection: close"]))
        default:
          peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `an error that was made good does not stand in a later failure`(endsInTimeout: Bool) async throws {
    let server = Server(silentInstead: endsInTimeout).raw
    let fetching = CurlFetching(
      settings: loopbackSettings { ($0.transfers, $0.firstByteLimit) = (1, 300) })
    defer {
      fetching.shutdown()
      server.stop()
    }
    var failures: [Failure?] = []
    for _ in 0..<3 {
      let request = FetchRequest(url: server.url, body: .whole(capBytes: 100), deadline: deadline())
      failures.append(await fetching.fetch(request).failure)
    }
    #expect(server.connectionCount == 3)
    #expect(failures.prefix(2).map { $0?.kind } == [nil, endsInTimeout ? .timeout : nil])
    #expect(failures[2]?.kind == .protocolError, "\(failures[2]?.message ?? "")")
  }
}
