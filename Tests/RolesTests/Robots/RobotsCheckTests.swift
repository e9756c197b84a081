import Links
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// When a robots.txt is asked for again, and what an exchange that failed means, on a clock that stands still.
@Suite(.timeLimit(.minutes(10)))
struct RobotsCheckTests {
  private static let id = UUIDv7(at: Moment(unixMilliseconds: 1), uniqueHigh: 1, uniqueLow: 2)

  /// One link after another, as one fetcher sees them.
  private final class Fixture: Sendable {
    let clock = ManualClock()
    let asked = Lock(0)
    let cache = RobotsCache(for: ProductToken(userAgent: "halyard"))
    private let answer: @Sendable (ManualClock) async -> Result<FetchResponse, Failure>

    init(_ answer: @escaping @Sendable (ManualClock) async -> Result<FetchResponse, Failure>) {
      self.answer = answer
    }

    /// - Parameter spent: Milliseconds of the attempt's 30 s that are gone.
    func ask(deadline: Int64? = nil, spent: Int64 = 0) async throws -> RobotsCheck.Answer {
      let fetching = ScriptedFetching { [self] _ in
        asked.withLock { $0 += 1 }
        return await answer(clock)
      }
      let url = try WebURL("http://a.test/x")
      let job = Job(batch: BatchID(RobotsCheckTests.id), ordinal: 0, kind: .unfurl, input: url.href)
      let order = JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
      var gate = HostGate(order, at: url, door: nil, clock: clock)
      let limit = AttemptDeadline(
        start: clock.now.advanced(byMilliseconds: -spent), milliseconds: 30_000,
        jobDeadline: deadline.map { clock.now.advanced(byMilliseconds: $0) })
      return await RobotsCheck(
        cache: cache, hosts: HostRequests(), fetching: fetching, clock: clock
      ).ask(for: url, &gate, limit)
    }
  }

  private static func file(_ headers: [HeaderField] = []) -> FetchResponse {
    FetchResponse(status: 200, headers: headers, body: Array("User-agent: *\nDisallow: /x".utf8))
  }

  @Test(
    arguments: [
      (nil, 86_400), ("max-age=600", 600), ("public, Max-Age = \"600\"", 600), ("max-age=1", 60),
      ("no-store", 60), ("no-cache, max-age=600", 60), ("max-age=99999999999999999999", 86_400),
      ("max-age=-1", 86_400), ("max-age=", 86_400), ("s-maxage=5", 86_400),
    ] as [(String?, Int64)])
  func `a file is trusted as long as it says, between a minute and a day`(control: String?, seconds: Int64)
    async throws
  {
    let headers = control.map { [HeaderField("Cache-Control", $0)] } ?? []
    let fixture = Fixture { _ in .success(Self.file(headers)) }
    #expect(try await fixture.ask().refusal?.kind == .robots)
    fixture.clock.advance(byMilliseconds: seconds * 1_000 - 1)
    #expect(try await fixture.ask().refusal?.kind == .robots)
    #expect(fixture.asked.withLock { $0 } == 1)
    fixture.clock.advance(byMilliseconds: 1)
    #expect(try await fixture.ask().refusal?.kind == .robots)
    #expect(fixture.asked.withLock { $0 } == 2)
  }

  @Test func `a file that is not given for now says when to try again`() async throws {
    let fixture = Fixture { _ in
      .success(FetchResponse(status: 503, headers: [HeaderField("Retry-After", "25")]))
    }
    let answer = try await fixture.ask()
    #expect(answer.host == "a.test")
    #expect(answer.refusal?.retryable == true)
    #expect(answer.refusal?.retryAfterMilliseconds == 25_000)
    #expect(
      answer.refusal?.message
        == "fetch http://a.test/x: http://a.test/robots.txt answered 503, so nothing there may be fetched;"
        + " try again in 25 s, or leave --respect-robots out")
    fixture.clock.advance(byMilliseconds: 24_999)
    #expect(try await fixture.ask().refusal?.retryAfterMilliseconds == 1)
    #expect(fixture.asked.withLock { $0 } == 1)
  }

  @Test func `a body that breaks off is no file`() async throws {
    var broken = Self.file()
    broken.bodyFailure = Failure(.connect, at: .body, "fetch http://a.test/robots.txt: reset")
    var short = Self.file()
    short.truncated = true
    for response in [broken, short] {
      let refusal = try await Fixture { _ in .success(response) }.ask().refusal
      #expect(refusal?.kind == .robots)
      #expect(refusal?.retryable == true)
    }
  }

  @Test func `a file that was cut is read as far as it goes`() async throws {
    var long = Self.file()
    long.body += Array("\nAllow: /x\n#".utf8)
    long.body += Array(repeating: UInt8(ascii: "#"), count: RobotsRules.capBytes - long.body.count)
    long.truncated = true
    let answer = try await Fixture { [long] _ in .success(long) }.ask()
    #expect(answer.refusal == nil)
    #expect(answer.reason == "line 3 of http://a.test/robots.txt allows it, 'Allow: /x'")
  }

  @Test func `what the job's own time cut short is its own failure, and remembered of nobody`() async throws {
    let fixture = Fixture { clock in
      clock.advance(byMilliseconds: 5_000)
      return .failure(Failure(.timeout, at: .firstByte, "fetch http://a.test/robots.txt: timed out"))
    }
    let answer = try await fixture.ask(deadline: 5_000)
    #expect(answer.refusal?.kind == .deadline)
    #expect(answer.host == "a.test")
    #expect(try await fixture.ask().refusal?.kind == .timeout)
    #expect(fixture.asked.withLock { $0 } == 2)
  }

  /// The file comes whole once, for a minute, and later so slowly that all of the time is over.
  private func slowBench(isHeadThere: Bool) -> Fixture {
    let times = Lock(0)
    return Fixture { clock in
      let isFirst = times.withLock { times in
        times += 1
        return times == 1
      }
      guard !isFirst else { return .success(Self.file([HeaderField("Cache-Control", "max-age=60")])) }
      clock.advance(byMilliseconds: 30_000)
      let failure = Failure(.timeout, at: .body, "fetch http://a.test/robots.txt: timed out")
      guard isHeadThere else { return .failure(failure) }
      return .success(FetchResponse(status: 200, truncated: true, bodyFailure: failure))
    }
  }

  @Test(arguments: [true, false])
  func `a file that trickles is given up for a while, and what it said before is trusted`(isHeadThere: Bool)
    async throws
  {
    let fixture = slowBench(isHeadThere: isHeadThere)
    #expect(try await fixture.ask().refusal?.kind == .robots)
    fixture.clock.advance(byMilliseconds: 60_000)
    for _ in 0..<3 { #expect(try await fixture.ask().refusal?.kind == .robots) }
    #expect(fixture.asked.withLock { $0 } == 2)
  }

  @Test func `a walk with little time left says nothing about the file`() async throws {
    let fixture = slowBench(isHeadThere: true)
    #expect(try await fixture.ask().refusal?.kind == .robots)
    fixture.clock.advance(byMilliseconds: 60_000)
    #expect(try await fixture.ask(spent: 20_001).refusal?.kind == .timeout)
    #expect(try await fixture.ask(spent: 20_000).refusal?.kind == .robots)
    #expect(fixture.asked.withLock { $0 } == 3)
  }

  @Test func `nobody waits for another walk for good`() async throws {
    let fixture = Fixture { _ in .success(Self.file()) }
    let place = try WebURL("http://a.test/").origin
    guard case .isYours = fixture.cache.claim(place, at: fixture.clock.now) else {
      Issue.record("somebody else asks")
      return
    }
    let answer = Task { try await fixture.ask() }
    while fixture.cache.waiting(at: place) == 0 { await Task.yield() }
    fixture.clock.advance(byMilliseconds: 300_000)
    let refusal = try await answer.value.refusal
    #expect(refusal?.kind == .timeout)
    #expect(refusal?.stage == .queue)
    #expect(fixture.asked.withLock { $0 } == 0)
  }
}
