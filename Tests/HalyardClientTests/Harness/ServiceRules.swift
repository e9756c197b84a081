import Halyard
import HalyardConcurrency
import PipelineTesting
import Posix
import Testing

/// A rule that every direction between the styles keeps, with its proof.
struct ServiceRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let prove: @Sendable (Direction) async throws -> Void

  init(_ sentence: String, _ prove: @escaping @Sendable (Direction) async throws -> Void) {
    testDescription = sentence
    self.prove = prove
  }

  static let all = [
    value, error, consumerCancels, silentWork, workIsCancelled, answersTwice, races, nothingStarts, eachCall,
    cancelledLate,
  ]

  private static func service(_ work: ScriptedWork, _ direction: Direction) -> StyledService {
    work.service(direction.source).adapted(to: direction.target)
  }

  private static let value = ServiceRule("a value comes through, once") { direction async throws in
    let call = service(ScriptedWork(.value), direction).call(7)
    #expect(try await call.answer() == .success("7"))
    #expect(call.answers.takeNow().isEmpty)
  }

  private static let error = ServiceRule("an error keeps its type and what it says") {
    direction async throws in
    let call = service(ScriptedWork(.failure), direction).call(7)
    #expect(try await call.answer() == .failure(.failed(Broken(input: 7))))
    #expect(call.answers.takeNow().isEmpty)
  }

  private static let consumerCancels = ServiceRule("cancelling the call cancels the work") {
    direction async throws in
    let work = ScriptedWork(.waits)
    let call = service(work, direction).call(7)
    await until { work.started == 1 }
    call.cancel()
    #expect(try await call.answer() == .failure(.cancelled))
    await until { work.cancelled == 1 }
    call.cancel()
    #expect(work.cancelled == 1)
    #expect(call.answers.takeNow().isEmpty)
  }

  private static let silentWork = ServiceRule("a cancelled call is answered by work that says nothing more") {
    direction async throws in
    let work = ScriptedWork(.waits, isSilentWhenCancelled: true)
    let call = service(work, direction).call(7)
    await until { work.started == 1 }
    call.cancel()
    #expect(try await call.answer() == .failure(.cancelled))
    await until { work.cancelled == 1 }
  }

  private static let workIsCancelled = ServiceRule("work that was cancelled tells its caller") {
    direction async throws in
    let call = service(ScriptedWork(.cancellation), direction).call(7)
    #expect(try await call.answer() == .failure(.cancelled))
    #expect(call.answers.takeNow().isEmpty)
  }

  private static let answersTwice = ServiceRule("a second answer is dropped") { direction async throws in
    let call = service(ScriptedWork(.value, answersTwice: true), direction).call(7)
    #expect(try await call.answer() == .success("7"))
    #expect(call.answers.takeNow().isEmpty)
  }

  /// Answers and cancellations meet at once, ten thousand times.
  private static let races = ServiceRule("an answer that meets a cancellation makes one answer") {
    direction async throws in
    let counts = Lock((answered: 0, cancelled: 0))
    for number in 0..<10_000 {
      let work = ScriptedWork(.waits, isSilentWhenCancelled: number % 2 == 0)
      let call = service(work, direction).call(number)
      // So that it is a race between two that have begun, most of the time.
      if number % 4 != 0 { await until { work.started == 1 } }
      let telling = Task { work.tell() }
      // Sooner or later: the answer takes several steps on some ways.
      for _ in 0..<number % 16 { await Task.yield() }
      call.cancel()
      await telling.value
      let answer = try await call.answer()
      #expect(call.answers.takeNow().isEmpty)
      switch answer {
      case .success(let value):
        #expect(value == "\(number)")
        counts.withLock { $0.answered += 1 }
      case .failure(let error):
        #expect(error == .cancelled)
        counts.withLock { $0.cancelled += 1 }
      }
    }
    // Neither of the two has always been first.
    #expect(counts.withLock { $0.answered > 0 && $0.cancelled > 0 })
  }

  private static let nothingStarts = ServiceRule("nothing starts before it is called, or iterated") {
    direction async throws in
    let work = ScriptedWork(.value)
    switch service(work, direction) {
    case .async(let service):
      #expect(work.started == 0)
      _ = try await service(1)
    case .callback(let service):
      #expect(work.started == 0)
      let answers = TaskChannel<Answer>(capacity: .unbounded)
      service(1) { _ = try? answers.offer($0) }
      _ = try await answers.receive()
    case .stream(let service):
      let stream = service(1)
      var values = stream.makeAsyncIterator()
      for _ in 0..<20 { await Task.yield() }
      #expect(work.started == 0)
      #expect(try await values.next() == "1")
      #expect(try await values.next() == nil)
      #expect(try await values.next() == nil)
      #expect(work.started == 1)
      for try await value in stream { #expect(value == "1") }
      #expect(work.started == 2)
      return
    }
    #expect(work.started == 1)
  }

  private static let eachCall = ServiceRule("each call does its own work, and its input is its own") {
    direction async throws in
    let work = ScriptedWork(.value)
    let service = service(work, direction)
    let calls = (0..<50).map { service.call($0) }
    for (number, call) in calls.enumerated() { #expect(try await call.answer() == .success("\(number)")) }
    #expect(work.started == 50)
  }

  private static let cancelledLate = ServiceRule("cancelling a call that is over does nothing") {
    direction async throws in
    let work = ScriptedWork(.value)
    let call = service(work, direction).call(7)
    #expect(try await call.answer() == .success("7"))
    call.cancel()
    #expect(call.answers.takeNow().isEmpty)
    #expect(work.cancelled == 0)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct AdapterTests {
  @Test(arguments: ServiceRule.all, Direction.all)
  func `every direction keeps the rules of a service`(rule: ServiceRule, direction: Direction) async throws {
    try await soon("the rule to be proven: \(rule.testDescription)", within: .seconds(240)) {
      try await rule.prove(direction)
    }
  }
}
