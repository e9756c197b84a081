import Foundation
import LedgerMemory
import Links
import Pipeline
import PipelineTesting
import Testing

@testable import HalyardCLI
@testable import Roles

/// The way of one `title` job through the real rules, by the types that `HowAJobTravels.md` names.
@Suite(.timeLimit(.minutes(10)))
struct HowAJobTravelsTests {
  private static let link = "http://sho.rt/x"
  private static let page = "https://example.org/"
  private static let batch = BatchID(UUIDv7(high: 1, low: 1))
  private static let fetcher = WorkerID(UUIDv7(high: 2, low: 1))
  private static let decoder = WorkerID(UUIDv7(high: 2, low: 2))

  /// The types that the job has passed.
  private struct Way {
    private(set) var types: [String] = []

    mutating func passes<Value: ~Copyable>(_ type: Value.Type) {
      types.append(String(describing: type))
    }

    mutating func passes<Value>(_ value: Value) -> Value {
      passes(Value.self)
      return value
    }
  }

  private let clock = ManualClock()
  private let ledger = MemoryLedger()

  @Test func `a title job passes the types of the table, in its order`() async throws {
    var way = Way()
    let submit = try await submit(&way)
    let order = try await schedule(submit, &way)
    let document = try await fetch(order, &way)
    let result = decode(document, &way)
    let row = try await settle(result, of: order, &way)
    let text = try write(row, &way)
    #expect(text.contains(#""title":"Tea""#))
    #expect(text.contains(#""hops":[{"url":"http://sho.rt/x","status":301"#))

    let article = try Article()
    #expect(way.types == article.table)
    #expect(way.types == article.picture(naming: way.types))
    #expect(way.types.count <= 20)
  }

  /// The command reads the link, and the producer makes a message with one job of it.
  private func submit(_ way: inout Way) async throws -> Submit {
    let plan = InputPlan([.arguments([Self.link])])
    var source = try plan.open()
    let input = try #require(try source.nextBurst(limit: 1).first)
    let feed = try InputFeed(plan, kind: .title, reading: Reading())
    try await feed.open(before: [])
    let draft = way.passes(try #require(try await feed.next(atMost: 1)?.first))
    #expect(draft == input)
    var submissions = Submissions(batch: Self.batch, replyTo: Address("inproc://producer"))
    let submit = try #require(submissions.add([draft], deadline: nil, at: clock.now).first)
    #expect(way.passes(try #require(submit.jobs.first)).input == Self.link)
    return way.passes(submit)
  }

  /// The aggregator commits the job, and gives it to a fetcher with credit once its lease is committed.
  private func schedule(_ submit: Submit, _ way: inout Way) async throws -> JobOrder {
    let job = try #require(submit.jobs.first)
    way.passes(Intake.self)
    let host = try Intake.host(of: job)
    var transaction = way.passes(Transaction())
    transaction.submissions = [
      Submission(
        submit: submit, incoming: JobsIn([(job, host, nil)], of: submit.batch, from: submit.replyTo))
    ]
    #expect(
      try await ledger.commit(transaction.changes(under: .none), at: clock.now).submissions.map(\.count) == [
        1
      ])

    way.passes(Dispatcher.self)
    var dispatcher = Dispatcher(settings: AggregatorSettings())
    dispatcher.fetcherSpoke(
      Hello(
        worker: Self.fetcher, role: .fetcher, locality: "here", address: Address("inproc://fetcher"),
        granted: 1,
        received: 0))
    dispatcher.arrived(LedgerJob(job, life: JobLife(), at: clock.now), host: host, at: clock.now)
    let assignment = try #require(dispatcher.assignments(at: clock.now).first)
    var lease = Transaction()
    lease.add(assignment)
    #expect(try await ledger.commit(lease.changes(under: .none), at: clock.now).jobs == [true])
    return way.passes(assignment.order)
  }

  /// The fetcher follows the redirect to the page.
  private func fetch(_ order: JobOrder, _ way: inout Way) async throws -> Document {
    let web = ScriptedFetching([
      Self.link: .redirect(to: Self.page), Self.page: .page("<title>Tea</title><p>hot"),
    ])
    let follower = way.passes(RedirectFollower(fetching: web, clock: clock, settings: FetcherSettings()))
    let end = await follower.walk(order)
    let response = way.passes(try #require(end.response))
    var chain = way.passes(RedirectChain(start: try Intake.link(of: order.job), maxHops: 1))
    let decisions = [
      chain.answered(status: 301, locations: [Self.page]),
      chain.answered(status: response.status, locations: []),
    ]
    #expect(decisions == [.follow(try WebURL(Self.page), method: .same), .final])
    #expect(chain.current == end.url)
    way.passes(FetchReport.self)
    guard case .document(let document) = FetchReport.outcome(of: order, end, by: Self.fetcher) else {
      throw NoWay()
    }
    return way.passes(document)
  }

  /// The decoder reads the page.
  private func decode(_ document: Document, _ way: inout Way) -> JobResult {
    let reader = way.passes(DocumentReader(clock: clock))
    #expect(document.order.job.kind == .title)
    way.passes(PageStep.self)
    return way.passes(reader.read(document, by: Self.decoder))
  }

  /// The aggregator joins the row and accepts the first outcome, and the ledger numbers the row.
  private func settle(_ result: JobResult, of order: JobOrder, _ way: inout Way) async throws -> NumberedRow {
    way.passes(RowComposer.self)
    let settlement = Settlement(of: order.job, under: result.lease, result.answer)
    #expect(String(decoding: settlement.row, as: UTF8.self).contains(RowComposer.schema))
    var life = way.passes(JobLife())
    let accepted = [
      life.granted(order.lease), life.ended(.done, under: result.lease),
      life.ended(.done, under: result.lease),
    ]
    #expect(accepted == [true, true, false])
    var transaction = Transaction()
    transaction.end(settlement)
    #expect(try await ledger.commit(transaction.changes(under: .none), at: clock.now).jobs == [true])
    let rows = await ledger.rows(of: Self.batch, after: 0, limit: 1, bytes: .max)
    return way.passes(try #require(rows.first))
  }

  private func write(_ row: NumberedRow, _ way: inout Way) throws -> String {
    let sink = CollectingSink()
    var writer = way.passes(RowWriter(WholeRowEncoder(), to: sink))
    try writer.write(row.json)
    try writer.flush()
    return sink.text
  }

  private struct NoWay: Error {}

  /// The page of the documentation.
  private struct Article {
    private let text: String

    init() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
      let file = root.appending(path: "Sources/HalyardCLI/Halyard.docc/Design/HowAJobTravels.md")
      text = try String(contentsOf: file, encoding: .utf8)
    }

    /// The types that the table links to, in its order.
    var table: [String] {
      section(from: "| Role | Types |", to: "\n\n").matches(of: /``\/\w+\/(\w+)``/).map { String($0.1) }
    }

    /// The words of the picture that are among the types, in the order in which they come first.
    func picture(naming types: [String]) -> [String] {
      var seen: [String] = []
      for match in section(from: "## The types on the way", to: "| Role").matches(of: /\w+/) {
        let word = String(match.0)
        if types.contains(word), !seen.contains(word) { seen.append(word) }
      }
      return seen
    }

    private func section(from start: String, to end: String) -> Substring {
      guard let start = text.range(of: start),
        let end = text.range(of: end, range: start.upperBound..<text.endIndex)
      else { return "" }
      return text[start.upperBound..<end.lowerBound]
    }
  }
}
