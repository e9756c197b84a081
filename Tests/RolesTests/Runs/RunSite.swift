import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// An API in memory, and runs against it.
final class RunSite: Sendable {
  private let answers: Lock<[String: FetchResponse]>
  private let asked = Lock<[String]>([])
  let ledger = MemoryLedger()

  init(_ answers: [String: String] = [:]) {
    self.answers = Lock(answers.mapValues { RunSite.json($0) })
  }

  static func json(_ text: String, status: Int = 200, headers: [HeaderField] = []) -> FetchResponse {
    FetchResponse(
      status: status, headers: [HeaderField("Content-Type", "application/json")] + headers,
      body: Array(text.utf8))
  }

  subscript(url: String) -> FetchResponse? {
    get { answers.withLock { $0[url] } }
    set { answers.withLock { $0[url] = newValue } }
  }

  /// Every address that was asked for, in the order of asking.
  var calls: [String] { asked.withLock { $0 } }

  func answer(to url: String) -> Result<FetchResponse, Failure> {
    asked.withLock { $0.append(url) }
    return .success(self[url] ?? Self.json("{}", status: 404))
  }

  static func draft(_ recipe: String, _ parameters: [String] = []) -> JobDraft {
    var draft = JobDraft(kind: .run, input: "mine.json")
    draft.reading.recipe = recipe
    draft.reading.parameters = parameters
    return draft
  }

  /// Runs a recipe and returns its row.
  func run(
    _ recipe: String, _ parameters: [String] = [], in site: TransportUnderTest = .inProcess,
    shuffledBy seed: UInt64? = nil, deadlineMilliseconds: Int64? = nil
  ) async throws -> Row {
    var pipeline = TestPipeline(site)
    pipeline.ledger = ledger
    pipeline.settings.fetcher.concurrency = 64
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    let random = Lock(SeededGenerator(seed: seed ?? 0))
    let fetching = ScriptedFetching { [self] request in
      if seed != nil {
        let turns = random.withLock { Int.random(in: 0..<20, using: &$0) }
        for _ in 0..<turns { await Task.yield() }
      }
      return answer(to: request.url)
    }
    let rows = try await pipeline.run(
      [Self.draft(recipe, parameters)], over: fetching, deadlineMilliseconds: deadlineMilliseconds)
    return try Row(#require(rows.first))
  }
}
