import Halyard
import HalyardConcurrency
import Pipeline
import PipelineTesting
import Posix
import Testing

/// Clients of a fleet, over sockets.
@Suite(.timeLimit(.minutes(10)))
struct ClientFleetTests {
  @Test func `a fleet does the work`() async throws {
    let fetching = ScriptedFetching { request in .success(.page("<title>\(request.url)</title>")) }
    try await TestPipeline(.zeroMQ).withFleet(over: fetching) { fleet in
      let directory = fleet.aggregator.text.dropFirst("ipc://".count).dropLast("/aggregator".count)
      for place in [String(directory), fleet.aggregator.text] {
        let client = try HalyardClient(fleet: place)
        let links = (0..<50).map { "http://host\($0).test/" }
        for try await outcome in client.results(of: links, { $0.unfurl($1).title() }) {
          #expect(try outcome.result.get().title == links[outcome.index])
        }
        try await client.end()
      }
    }
  }

  @Test func `a cancelled call ends its job in the fleet`() async throws {
    let (asked, ended) = (TaskChannel<Void>(capacity: .unbounded), TaskChannel<Void>(capacity: .unbounded))
    let fetching = ScriptedFetching { request in
      _ = try? asked.offer(())
      let never = TaskChannel<Void>(capacity: 1)
      _ = try? await never.receive()
      _ = try? ended.offer(())
      return .failure(Failure(.cancelled, at: .queue, "cancelled"))
    }
    try await TestPipeline(.zeroMQ).withFleet(over: fetching) { fleet in
      let client = try HalyardClient(fleet: fleet.aggregator.text)
      let task = Task { await client.unfurl("http://a.test/").result() }
      _ = try await asked.next("the fetch")
      task.cancel()
      #expect(
        try await soon("the answer of a cancelled call") { await task.value }.failure?.kind == .cancelled)
      _ = try await ended.next("the end of the fetch")

      // And so does shutting down.
      let last = Task { await client.unfurl("http://b.test/").result() }
      _ = try await asked.next("the fetch")
      try await client.end()
      #expect(try await soon("the answer of the last call") { await last.value }.failure?.kind == .cancelled)
      _ = try await ended.next("the end of the fetch")
    }
  }

  private struct Number: Decodable, Sendable {
    var number: Int
  }

  @Test func `of ten thousand calls of all kinds to a fleet, many cancelled, each has one answer`()
    async throws
  {
    let fetching = ScriptedFetching { request in
      await Task.yield()
      return request.url.contains("/data/")
        ? .success(.json(#"{"number": 7}"#)) : .success(.page("<title>\(request.url)</title>"))
    }
    let recipe = Recipe(
      json:
        #"{"parameters": {"base": {"type": "url"}}, "steps": {"it": {"call": "{+base}/data/it"}}, "output": "$it"}"#
    )
    try await TestPipeline(.zeroMQ).withFleet(over: fetching) { fleet in
      let client = try HalyardClient(fleet: fleet.aggregator.text)
      let tally = Tally(count: 10_000)
      let random = Randomness.seeded(12)
      var handles: [any CallHandle] = []
      for number in 0..<tally.count {
        let base = "http://host\(number % 500).test"
        let handle: any CallHandle =
          switch number % 10 {
          case 0:
            client.run(recipe, ["base": .text(base)], as: Number.self).call { tally.add($0, to: number) }
          case 1...3:
            client.decode(Number.self, from: "\(base)/data/\(number)").call { tally.add($0, to: number) }
          case 4...6: client.unfurl("\(base)/\(number)").title().call { tally.add($0, to: number) }
          default: client.unfurl("\(base)/\(number)").call { tally.add($0, to: number) }
          }
        if random.fraction() < 0.5 { handles.append(handle) }
        if number % 3 == 0, !handles.isEmpty {
          handles[Int(random.fraction() * Double(handles.count))].cancel()
        }
      }
      try await tally.waitForAll()
      try await client.end()
      #expect(tally.answers == [Int](repeating: 1, count: tally.count))
      // Nothing but values and cancellations, and both.
      #expect(tally.values > tally.count / 2 && tally.values < tally.count)
      #expect(tally.kinds == [.cancelled])
    }
  }

  @Test func `a fleet that is silent fails its calls, and the next one asks again`() async throws {
    let directory = try TemporaryDirectory()
    var settings = FleetSettings()
    settings.timeout = .milliseconds(900)
    let client = try HalyardClient(fleet: "ipc://\(directory.file("aggregator"))", settings)
    for _ in 0..<2 {
      let error = try await client.title("http://a.test/").answer().failure
      #expect(error?.kind == .underlying)
      #expect(error?.retryable == true)
      #expect(error?.message.contains("no answer") == true)
    }
    try await client.end()
  }

  @Test func `a fleet on another machine needs an address for its answers`() {
    let error = #expect(throws: HalyardError.self) { try HalyardClient(fleet: "tcp://192.0.2.1:9") }
    #expect(error?.kind == .invalidInput)
  }
}
