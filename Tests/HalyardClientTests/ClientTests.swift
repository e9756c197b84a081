import DemoSite
import Halyard
import HalyardConcurrency
import Pipeline
import PipelineTesting
import Posix
import Testing

/// What clients answer, in all three styles.
@Suite(.timeLimit(.minutes(10)))
struct ClientTests {
  struct User: Decodable, Hashable, Sendable {
    var id: Int
    var email: String
  }

  struct Users: Decodable, Sendable {
    var users: [User]
  }

  private static func network(_ requests: Lock<[String]> = Lock([])) -> ScriptedFetching {
    ScriptedFetching { request in
      requests.withLock { $0.append(request.url) }
      return switch request.url {
      case "http://a.test/short": .success(.redirect(to: "http://a.test/page"))
      case "http://a.test/page": .success(.page("<title>A page</title>"))
      case "http://a.test/busy": .success(.page("", status: 503))
      case "http://a.test/data": .success(.json(#"{"data": {"id": 7, "email": "ada@example.org"}}"#))
      default: .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
      }
    }
  }

  @Test func `a link is followed, and its hops are told`() async throws {
    let client = try HalyardClient(fetching: Self.network())
    let resolved = try await client.unfurl("http://a.test/short").get()
    #expect(resolved.input == "http://a.test/short")
    #expect(resolved.url == "http://a.test/page")
    #expect(resolved.status == 200)
    #expect(resolved.hops.map(\.status) == [301])
    try await client.end()
  }

  @Test func `a title comes in each of the three styles`() async throws {
    let client = try HalyardClient(fetching: Self.network())
    let call = client.title("http://a.test/short")
    let page = try await call.get()
    #expect(page.title == "A page")
    #expect(page.titleSource == .title)
    #expect(page.url == "http://a.test/page")

    let answers = TaskChannel<Result<PageInfo, HalyardError>>(capacity: .unbounded)
    call.call { _ = try? answers.offer($0) }
    #expect(try await answers.next("an answer")?.get() == page)

    var pages: [PageInfo] = []
    for try await page in call.stream { pages.append(page) }
    #expect(pages == [page])
    try await client.end()
  }

  @Test func `a chain is one job with one request for each address`() async throws {
    let requests = Lock<[String]>([])
    let client = try HalyardClient(fetching: Self.network(requests))
    let call = client.unfurl("http://a.test/short").title()
    #expect(requests.withLock { $0 } == [])
    #expect(try await call.get().title == "A page")
    #expect(requests.withLock { $0 } == ["http://a.test/short", "http://a.test/page"])
    try await client.end()
  }

  @Test func `data is decoded as any type, or does not match it`() async throws {
    let client = try HalyardClient(fetching: Self.network())
    let call = client.decode(User.self, from: "http://a.test/data", select: "/data")
    #expect(try await call.get().value == User(id: 7, email: "ada@example.org"))
    let error = await #expect(throws: HalyardError.self) {
      _ = try await client.decode(User.self, from: "http://a.test/data").get()
    }
    #expect(error?.kind == .decodeMismatch)
    #expect(error?.message.contains("'/id'") == true)
    // It would match, and is not what must be there.
    let whole = { client.decode([String: User].self, from: "http://a.test/data", require: [$0]) }
    #expect(try await whole(Requirement("/data/id", .integer)).get().value["data"]?.id == 7)
    #expect(
      try await whole(Requirement("/data/id", .string, .null)).answer().failure?.kind == .decodeMismatch)
    try await client.end()
  }

  @Test func `errors have the kinds of rows`() async throws {
    #expect(HalyardError.Kind.allCases.map(\.rawValue) == FailureKind.allCases.map(\.rawValue))
    var settings = ClientSettings()
    settings.retries = 0
    let client = try HalyardClient(settings, fetching: Self.network())
    let error = try await client.title("http://nowhere.test/").answer().failure
    #expect(error?.kind == .dns)
    #expect(error?.stage == .dns)
    #expect(error?.message == "fetch http://nowhere.test/: no such host")
    #expect(error?.retryable == false)
    #expect(try await client.title("http://a.test/busy").answer().failure?.retryable == true)
    #expect(try await client.title("no link at all").answer().failure?.kind == .invalidInput)
    let file = try await client.title("http://a.test/data").answer().failure
    #expect(file?.kind == .notHTML)
    #expect(file?.url == "http://a.test/data" && file?.status == 200)
    try await client.end()
  }

  @Test func `an error has what was found until then`() async throws {
    var settings = ClientSettings()
    settings.retries = 0
    let client = try HalyardClient(
      settings,
      fetching: ScriptedFetching([
        "http://a.test/short": .redirect(to: "http://a.test/gone"),
        "http://a.test/gone": .page("", status: 404),
      ]))
    let error = try await client.title("http://a.test/short").answer().failure
    #expect(error?.url == "http://a.test/gone" && error?.status == 404)
    #expect(error?.hops == [.init(url: "http://a.test/short")])
    let nothing = try await client.title("http://b.test/").answer().failure
    #expect(nothing?.status == nil && nothing?.hops == [])
    try await client.end()
  }

  @Test func `an error says in one line what went wrong, where and why`() {
    let error = HalyardError(.dns, at: .dns, "fetch http://a.test/: no such host")
    #expect("\(error)" == "dns at dns: fetch http://a.test/: no such host")
  }

  @Test func `times beyond all bounds are as long as can be`() async throws {
    var settings = ClientSettings()
    for time in [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000) + .milliseconds(999)] {
      (settings.timeout, settings.deadline) = (time, time)
      let client = try HalyardClient(settings, fetching: Self.network())
      #expect(try await client.title("http://a.test/short").get().title == "A page")
      try await client.end()
    }
  }

  @Test(arguments: [nil, 1, 3, 256])
  func `a recipe runs against the demo site, and is decoded`(threads: Int?) async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    var settings = ClientSettings()
    settings.threads = threads
    if threads == 256 { settings.concurrency = 10_000 }
    settings.allowedAddresses = ["127.0.0.1/32"]
    let client = try HalyardClient(settings)
    let found = try await client.run(.users, ["base": .text(site.base)], as: Users.self).get().value
    #expect(found.users.map(\.id) == Array(1...found.users.count))
    #expect(found.users.first?.email == "ada@example.org")
    #expect(try await client.title("\(site.base)/s/light").get().resolved.hops.count == 3)
    let unknown = try await client.run(.users, ["no": "such"], as: Users.self).answer()
    #expect(unknown.failure?.kind == .invalidInput)
    try await client.end()
  }

  @Test func `this machine's own addresses are refused unless they are allowed`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let client = HalyardClient()
    #expect(try await client.title("\(site.base)/s/light").answer().failure?.kind == .blockedAddress)
    try await client.end()
  }

  @Test(arguments: [ResultOrder.source, .completion])
  func `many links have one outcome each, in the order that is asked for`(order: ResultOrder) async throws {
    // The first is answered when all others are.
    let others = TaskChannel<Void>(capacity: .unbounded)
    let client = try HalyardClient(
      fetching: ScriptedFetching { request in
        if request.url.hasSuffix("/0") {
          for _ in 1..<20 { _ = try? await others.receive() }
        } else {
          _ = try? others.offer(())
        }
        return .success(.page("<title>\(request.url)</title>"))
      })
    let links = (0..<20).map { "http://host\($0).test/\($0)" }
    var indexes: [Int] = []
    for try await outcome in client.results(of: links, in: order, { $0.title($1) }) {
      #expect(try outcome.result.get().title == links[outcome.index])
      indexes.append(outcome.index)
    }
    #expect(indexes.sorted() == Array(0..<20))
    #expect(order == .completion ? indexes.first != 0 : indexes == Array(0..<20))
    try await client.end()
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
