import Foundation
import PipelineTesting
import Posix
import Testing

/// Workers that a service manager started instead of `halyard up`.
@Suite(.timeLimit(.minutes(5)))
struct ServiceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A worker, and the socket that it speaks to.
  private func start(_ role: String, _ words: [String] = []) throws -> (worker: Child, news: DatagramSocket) {
    let name = directory.file("notify-\(role)")
    let news = try DatagramSocket(receivingAt: name)
    let worker = try Child(
      [role, "--run-dir", directory.file("run")] + words,
      environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "500000"])
    return (worker, news)
  }

  private func next(_ news: DatagramSocket) throws -> String {
    String(decoding: try news.receive(milliseconds: 120_000), as: UTF8.self)
  }

  @Test func `each role says that it is ready, that it lives, and that it ends`() async throws {
    var started: [(worker: Child, news: DatagramSocket)] = []
    for role in ["aggregator", "fetcher", "decoder"] {
      let one = try start(role)
      started.append(one)
      let words = role == "aggregator" ? "listens at" : "works for"
      let ready = "READY=1\nSTATUS=\(words) ipc://\(directory.file("run"))/aggregator"
      var said = try next(one.news)
      // It asks the fleet for its options first.
      while role == "fetcher", said != ready {
        #expect(said == "WATCHDOG=1" || said.contains("waits for"))
        said = try next(one.news)
      }
      #expect(said == ready)
      for _ in 0..<3 { #expect(try next(one.news) == "WATCHDOG=1") }
    }
    let ping = try await Child(["ping", "--fleet", directory.file("run"), "--wait", "60s"]).ended()
    #expect(ping.status == 0, "\(ping.messages)")
    for (worker, news) in started.reversed() {
      worker.terminate()
      var said = try next(news)
      while said == "WATCHDOG=1" { said = try next(news) }
      #expect(said == "STOPPING=1\nSTATUS=finishing what is under way")
      #expect(try await worker.ended().status == 0)
    }
  }

  @Test func `what can never be used ends with the code that tells a service manager not to try again`()
    async throws
  {
    let ledger = directory.file("ledger.db")
    try Data(String(repeating: "no ledger at all ", count: 100).utf8).write(to: URL(filePath: ledger))
    let (worker, _) = try start("aggregator", ["--ledger", ledger])
    #expect(try await worker.ended().status == 78)
  }
}
