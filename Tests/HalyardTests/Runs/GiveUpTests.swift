import PipelineTesting
import Testing

/// A list of one host with dead pages behind it.
@Suite(.timeLimit(.minutes(10)))
struct GiveUpTests {
  /// Resets the first connections, and has no page behind the others.
  private final class DeadSite: Sendable {
    static let links = 40
    /// More than make a host slow: its pauses pass.
    static let resets = 12

    private let server = RawServer { peer in
      guard let request = peer.readRequest(),
        let number = request.split(separator: " ").dropFirst().first.flatMap({ Int($0.dropFirst()) })
      else { return }
      if number < DeadSite.resets {
        peer.resetOnClose()
      } else {
        peer.send("HTTP/1.1 404 None\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      }
    }

    deinit { server.stop() }

    var host: String { "127.0.0.1:\(server.port)" }
    var list: String { (0..<Self.links).map { "\(server.url)\($0)\n" }.joined() }

    func ask(_ options: String...) async throws -> Ended {
      try await Child(
        ["title", "-", "--per-host", "1", "--retries", "0", "--progress", "always", "--ordered"] + options
          + loopback, input: .text(list)
      ).ended()
    }
  }

  @Test func `a host that is never given up is asked for every page`() async throws {
    let ended = try await DeadSite().ask("--give-up", "never")
    let outcomes = try ended.rows().map(\.outcome)
    let answers = DeadSite.links - DeadSite.resets
    #expect(
      outcomes == Array(repeating: "connect", count: DeadSite.resets)
        + Array(repeating: "http_status", count: answers))
    #expect(!ended.messages.contains("given up"), "\(ended.messages)")
  }

  @Test func `a summary names the host that was given up, and how many jobs that cost`() async throws {
    let site = DeadSite()
    let ended = try await site.ask("--give-up", "3")
    let cost = DeadSite.links - 3
    #expect(try ended.rows().count { $0["error.given_up"] == site.host } == cost)
    #expect(
      ended.messages.hasSuffix(
        "\nhosts that were given up cost \(cost) jobs (\(site.host) \(cost)); see --give-up\n"),
      "\(ended.messages)")
  }

  @Test func `a limit of one gives a host up at its first failure`() async throws {
    let site = DeadSite()
    let rows = try await site.ask("--give-up", "1").rows()
    #expect(
      rows.map { $0["error.given_up"] } == [nil] + Array(repeating: site.host, count: DeadSite.links - 1))
  }

  @Test(arguments: ["0", "-1", "soon", "10001", ""])
  func `a limit that is none is refused with what is allowed`(text: String) async throws {
    let ended = try await halyard("unfurl", "http://a.test/", "--give-up=\(text)")
    #expect(ended.status == 64)
    #expect(
      ended.messages.hasPrefix(
        "halyard: option '--give-up': '\(text)' is neither a whole number from 1 to 10000 nor 'never'\n"),
      "\(ended.messages)")
  }
}
