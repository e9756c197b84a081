import Assembly
import HTTPMessages
import HalyardConcurrency
import LinkPreviews
import Pipeline
import Posix
import Roles

@testable import HTTPServer
@testable import HalyardCLI

/// The service without a network, and without a fetch that ends.
struct ServiceUnderTest {
  /// Answers no call until it is stopped.
  private struct SilentBackend: CallBackend {
    let end = TaskChannel<Void>(capacity: .conflating)

    func run(_ session: CallSession) async throws { _ = try await end.receive() }
  }

  struct Broken: Error {}

  private struct BrokenBackend: CallBackend {
    func run(_ session: CallSession) async throws { throw Broken() }
  }

  typealias Answer = (status: Int, head: String, body: String)

  let routes: PreviewRoutes
  let calls: CallCore

  init(_ words: String..., isBroken: Bool = false, isHindered: Bool = false) throws {
    guard case .run(let arguments) = try Invocation.parse(["serve"] + words, environment: [:]) else {
      throw Broken()
    }
    let access = try PreviewAccess(arguments, at: .loopback)
    calls = CallCore(isBroken ? BrokenBackend() : SilentBackend(), maxCalls: 1)
    let desk = PreviewDesk(
      calls: calls, store: Lock(PreviewStore()), file: nil, reading: Reading(), clock: SystemClock(),
      isHindered: { isHindered })
    routes = PreviewRoutes(
      access: access, answers: PreviewAnswers(desk: desk, access: access, pages: []),
      explanations: LinkExplanations(settings: nil, reading: Reading(), access: access),
      readiness: Readiness(needsFleet: false),
      log: nil, firstID: UUIDv7(high: 0x7000, low: 0x8000_0000_0000_0000))
  }

  func ask(
    _ target: String, _ fields: [String] = [], method: String = "GET", host: String = "localhost",
    body: String = ""
  ) async throws -> Answer {
    let head = try Self.head("\(method) \(target)", ["Host: \(host)"] + fields)
    let client = Client(host: "127.0.0.1", network: [])
    switch routes.react(head, client) {
    case .answer(let response): return told(response)
    case .later(_, let begin):
      let answers = TaskChannel<Response>(capacity: .conflating)
      let waiting = begin { _ = try? answers.offer($0()) }
      // None comes of what never ends.
      if target.contains("timeout=0.001") { _ = try? answers.offer(waiting.late()) }
      guard let response = try await answers.receive() else { throw Broken() }
      return told(response)
    case .task(_, let work):
      guard case .whole(let response) = await work(Request(head: head, body: Array(body.utf8))) else {
        throw Broken()
      }
      return told(response)
    }
  }

  /// Begins what an answer waits for.
  ///
  /// - Returns: How many wait for the fetch, and what is to be called when one of them does no more.
  func begin(_ target: String) throws -> (waiting: () -> Int, one: Waiting) {
    let head = try Self.head("GET \(target)", ["Host: localhost"])
    guard case .later(_, let begin) = routes.react(head, Client(host: "127.0.0.1", network: [])) else {
      throw Broken()
    }
    let flight = routes.answers.desk.fetch(
      try PreviewQuestion(query: head.query, kind: .title, as: .row).key)
    let one = begin { _ in }
    return ({ flight.waiting }, one)
  }

  private func told(_ response: Response) -> Answer {
    var bytes: [UInt8] = []
    response.head.write(
      to: &bytes, length: response.body.count, date: [], keepsAlive: true, isVersion11: true)
    let head = String(decoding: bytes, as: UTF8.self)
    return (response.head.status, head, String(decoding: response.body, as: UTF8.self))
  }

  static func head(_ line: String, _ fields: [String]) throws -> RequestHead {
    var parser = RequestParser()
    parser.receive(
      Array((["\(line) HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8))
    guard case .head(let head) = parser.next() else { throw Broken() }
    return head
  }
}
