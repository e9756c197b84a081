import FetchCurl
import Pipeline
import PipelineTesting
import Posix
import Testing

/// What a fetcher knows of a job that waits for its server.
@Suite(.timeLimit(.minutes(10)))
struct ActivityTests {
  private let activity = FetchActivity()

  /// Fetches from a server that sends the beginning of an answer when it is told to, and nothing more.
  private func fetch(_ scheme: String, answer: [UInt8], request: @escaping @Sendable (RawPeer) -> Void) async
  {
    let mayAnswer = Lock(false)
    let isAsked = Lock(false)
    let server = RawServer { peer in
      request(peer)
      isAsked.withLock { $0 = true }
      while !mayAnswer.withLock({ $0 }), !peer.awaitHangUp(milliseconds: 5) {}
      peer.send(answer)
      peer.awaitHangUp()
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    var order = FetchRequest(
      url: "\(scheme)://127.0.0.1:\(server.port)/", body: .nothing, deadline: deadline())
    order.activity = activity
    let answer = Task { [order] in await fetching.fetch(order) }
    await until { isAsked.withLock { $0 } }
    #expect(!activity.isExecuting)
    mayAnswer.withLock { $0 = true }
    await until { activity.isExecuting }
    #expect(activity.isExecuting)
    answer.cancel()
    _ = await answer.value
    fetching.shutdown()
    server.stop()
  }

  @Test func `a fetch executes nothing until its server answers`() async {
    await fetch("http", answer: Array("HTTP/1.1 200 OK\r\n".utf8)) { _ = $0.readRequest() }
  }

  @Test func `a handshake executes nothing until its server answers`() async {
    await fetch("https", answer: [0x16, 0x03, 0x03]) { _ = $0.read(1) }
  }
}
