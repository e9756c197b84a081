import Halyard
import HalyardConcurrency
import Pipeline

/// Calls of a client over a network that answers at once.
enum CallBench {
  private static let count = 20_000

  static func run() async throws {
    print("client: one call, from asking to the answer")
    var settings = ClientSettings()
    settings.perHost = 256
    let client = try HalyardClient(
      settings, fetching: OnePage())
    try await Main.measure("one after another", count: 500) {
      for number in 0..<500 { _ = try await client.title(link(number)).get() }
    }
    try await Main.measure("all at once, called back", count: count) {
      let answers = TaskChannel<Void>(capacity: .unbounded)
      for number in 0..<count { client.title(link(number)).call { _ in _ = try? answers.offer(()) } }
      for _ in 0..<count { _ = try await answers.receive() }
    }
    for (name, order) in [("the source", ResultOrder.source), ("completion", .completion)] {
      try await Main.measure("256 at a time, in the order of \(name)", count: count) {
        for try await _ in client.results(of: (0..<count).map(link), in: order, { $0.title($1) }) {}
      }
    }
    await client.shutdown()
  }

  private struct OnePage: Fetching {
    func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
      .success(
        FetchResponse(
          status: 200, headers: [HeaderField("Content-Type", "text/html; charset=utf-8")],
          body: Array("<title>A page</title>".utf8)))
    }
  }

  private static func link(_ number: Int) -> String { "http://host\(number % 64).test/\(number)" }
}
