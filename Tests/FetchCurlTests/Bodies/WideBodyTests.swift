import FetchCurl
import Pipeline
import PipelineTesting
import Testing

/// Bodies that are decoded beside the loop, because nothing of them can be had before all is in memory.
@Suite(.timeLimit(.minutes(10)))
struct WideBodyTests {
  private static func reply(_ body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  @Test func `a page arrives whole, or cut at its cap`() async throws {
    let server = replying(Self.reply(EncodedBodies.wideBrotli))
    let page = try await exchange(.page(capBytes: 4 << 20), with: server).get()
    #expect(text(page) == EncodedBodies.widePage)
    #expect(!page.truncated)
    #expect(page.status == 200)
    let cut = try await exchange(.page(capBytes: 1_000), with: server).get()
    #expect(text(cut) == EncodedBodies.widePage.prefix(1_000))
    #expect(cut.truncated)
    let start = try await exchange(.startOfPage(capBytes: 1_000), with: server).get()
    #expect(text(start) == EncodedBodies.widePage.prefix(1_000))
    #expect(!start.truncated)
  }

  @Test func `data arrives whole or is too large`() async throws {
    let server = replying(Self.reply(EncodedBodies.wideBrotli))
    let data = try await exchange(.whole(capBytes: 4 << 20), with: server).get()
    #expect(text(data) == EncodedBodies.widePage)
    #expect(await exchange(.whole(capBytes: 3 << 20), with: server).failure?.kind == .bodyTooLarge)
  }

  @Test func `what came of a body counts when its connection breaks`() async throws {
    let body = EncodedBodies.wideBrotli
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1000\r\n\r\n"
    let server = replying(Array(head.utf8) + body.prefix(40))
    let page = try await exchange(.page(capBytes: 4 << 20), with: server).get()
    #expect(text(page).hasPrefix("<title>wide</title>"))
    #expect(page.truncated)
    #expect(await exchange(.whole(capBytes: 4 << 20), with: server).failure?.kind == .protocolError)
  }

  @Test(arguments: [BodyPolicy.page(capBytes: 1_000), .startOfPage(capBytes: 1_000)])
  func `what came counts when there is more than the wire may bring`(_ wish: BodyPolicy) async throws {
    let settings = loopbackSettings { $0.wireBodyCapBytes = 45 }
    let server = replying(Self.reply(EncodedBodies.wideBrotli))
    let page = try await exchange(wish, settings: settings, with: server).get()
    #expect(text(page) == EncodedBodies.widePage.prefix(1_000))
  }

  private static let count = 150

  enum End: CaseIterable {
    case cancellation
    case deadline
    case shutdown
  }

  /// So many times a window of 16 MiB, one after another, that some still wait when the first is done.
  @Test(arguments: End.allCases)
  func `every body that waits to be decoded gets an answer, and gives its memory back`(_ end: End)
    async throws
  {
    let large = [UInt8](repeating: 120, count: 400_000)
    let server = RawServer { peer in
      guard let request = peer.readRequest() else { return }
      guard request.hasPrefix("GET /large") else {
        peer.send(Self.reply(EncodedBodies.brotliBomb))
        return
      }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(large.count)\r\n\r\n")
      peer.send(large)
    }
    // A large body waits until all of it is free.
    let fetching = CurlFetching(settings: loopbackSettings { $0.largeBodyBytes = 100_000 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let limit = deadline(inMilliseconds: end == .deadline ? 100 : 60_000)
    let answers = await withTaskGroup(of: Answer.self) { group in
      for _ in 0..<Self.count {
        group.addTask {
          await fetching.fetch(
            FetchRequest(url: server.url, body: .page(capBytes: 1 << 20), deadline: limit))
        }
      }
      var answers: [Answer] = []
      if end != .deadline, let first = await group.next() {
        answers.append(first)
        if end == .cancellation { group.cancelAll() } else { fetching.shutdown() }
      }
      for await answer in group { answers.append(answer) }
      return answers
    }
    #expect(answers.count == Self.count)
    let kinds = Set(answers.compactMap { $0.failure?.kind })
    #expect(kinds == [end == .deadline ? .timeout : .cancelled])
    guard end != .shutdown else { return }
    let whole = FetchRequest(
      url: server.url + "large", body: .whole(capBytes: 1 << 20), deadline: deadline(inMilliseconds: 10_000))
    #expect(try await fetching.fetch(whole).get().body.count == large.count)
  }
}
