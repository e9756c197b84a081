import FoundationEssentials
import Halyard
import Pipeline
import PipelineTesting
import Posix
import Testing

/// What a client is told, and what reaches servers and callers of it.
@Suite(.timeLimit(.minutes(10)))
struct ClientSettingsTests {
  private let asked = Lock<[FetchRequest]>([])

  private func client(_ body: String = "{}", set: (inout ClientSettings) -> Void = { _ in }) throws
    -> HalyardClient
  {
    var settings = ClientSettings()
    settings.retries = 0
    set(&settings)
    return try HalyardClient(
      settings,
      fetching: ScriptedFetching { [asked] request in
        asked.withLock { $0.append(request) }
        if request.url.hasSuffix("/away") { return .success(.redirect(to: "http://b.test/")) }
        if request.url.hasSuffix("/3") { return .success(.json("{}", status: 404)) }
        return .success(.json(body))
      })
  }

  @Test func `headers go to the link's own site, and no further`() async throws {
    let client = try client { $0.headers = ["Authorization": "Bearer x", "Cookie": "a=b"] }
    _ = try await client.unfurl("http://a.test/away").get()
    let headers = asked.withLock { $0.map { $0.headers.map(\.value) } }
    #expect(headers == [["Bearer x", "a=b"], []])
    try await client.end()
  }

  private static let mistakes: [(String, @Sendable (inout ClientSettings) -> Void)] = [
    ("header 'a b'", { $0.headers = ["a b": "c"] }), ("header 'X'", { $0.headers = ["X": "a\r\nb: c"] }),
    ("header 'Host'", { $0.headers = ["Host": "b.test"] }), ("largestPage", { $0.largestPage = 1 << 30 }),
    ("largestDocument", { $0.largestDocument = 0 }), ("concurrency", { $0.concurrency = 0 }),
    ("threads", { $0.threads = 257 }), ("perHost", { $0.perHost = 0 }), ("retries", { $0.retries = -1 }),
    ("maxHops", { $0.maxHops = -1 }), ("givesUpAfter", { $0.givesUpAfter = 0 }),
    ("timeout", { $0.timeout = .zero }), ("deadline", { $0.deadline = .zero }),
    ("hostDelay", { $0.hostDelay = .seconds(-1) }), ("userAgent", { $0.userAgent = "a\nb" }),
    ("allowedAddresses 'here'", { $0.allowedAddresses = ["here"] }),
    ("proxy", { $0.proxy = "ftp://proxy.test/" }), ("proxy", { $0.proxy = "proxy.test:80" }),
    ("cache", { $0.cache = .init(answers: .zero) }),
    ("cache", { $0.cache = .init(answers: .seconds(86_400 * 31)) }),
    ("cache", { ($0.cache, $0.headers) = (.init(answers: .seconds(9)), ["X": "y"]) }),
    (
      "cache.mostBytes",
      {
        $0.cache = .init(answers: .seconds(9))
        $0.cache?.mostBytes = 0
      }
    ),
    ("authorities '/nowhere'", { $0.authorities = "/nowhere" }),
  ]

  @Test func `a setting that cannot be fails the client at once, and says which it is`() throws {
    for (name, set) in Self.mistakes {
      let error = #expect(throws: HalyardError.self) { try client(set: set) }
      #expect(error?.kind == .invalidInput)
      #expect(error?.message.hasPrefix("settings: \(name)") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `a host is given up when the settings say, or never`() async throws {
    for (limit, calls) in [(1, 1), (nil, 3)] as [(Int?, Int)] {
      let asked = Lock(0)
      var settings = ClientSettings()
      (settings.retries, settings.givesUpAfter) = (0, limit)
      let client = try HalyardClient(
        settings,
        fetching: ScriptedFetching { request in
          asked.withLock { $0 += 1 }
          return .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
        })
      for number in 0..<3 { _ = try await client.unfurl("http://dead.test/\(number)").answer() }
      #expect(asked.withLock { $0 } == calls)
      try await client.end()
    }
  }

  @Test func `caps and robots are the pipeline's`() async throws {
    let client = try client { settings in
      settings.largestDocument = 2_048
      settings.obeysRobots = true
    }
    _ = await client.decode([String: Int].self, from: "http://a.test/data").result()
    let requests = asked.withLock { $0 }
    #expect(requests.map(\.url) == ["http://a.test/robots.txt", "http://a.test/data"])
    #expect(requests.last?.body == .whole(capBytes: 2_048))
    try await client.end()
  }

  @Test func `dates are read by the caller's decoder`() async throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let client = try client(#"{"at":"2001-01-01T00:00:10Z"}"#)
    let found = try await client.decode([String: Date].self, from: "http://a.test/", by: decoder).get()
    #expect(found.value["at"]?.timeIntervalSinceReferenceDate == 10)
    try await client.end()
  }

  @Test func `what a recipe leaves out is told beside its value`() async throws {
    let recipe = Recipe(
      json: """
        {"sections": [{"id": "1"}, {"id": "2"}, {"id": "3"}], "steps": {
          "all": {"each": "$sections", "call": "http://a.test/{input.id}", "policy": "settled"}
        }, "output": "$all"}
        """)
    let client = try client("7")
    let found = try await client.run(recipe, as: [Int].self).get()
    #expect(found.value == [7, 7])
    #expect(found.notes == [])
    #expect(found.leftOut.map(\.step) == ["all"])
    #expect(found.leftOut.map(\.index) == [2])
    #expect(found.leftOut.map(\.kind) == [.httpStatus])
    #expect(found.leftOut.first?.message == "fetch http://a.test/3: the server answered 404")
    try await client.end()
  }
}
