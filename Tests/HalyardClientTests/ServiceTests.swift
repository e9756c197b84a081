import Halyard
import HalyardConcurrency
import PipelineTesting
import Posix
import Testing

/// What is particular to one style.
@Suite(.timeLimit(.minutes(10)))
struct ServiceTests {
  private struct Numbers {
    let emitted = Lock<[Int]>([])
    let ends = TaskChannel<ServiceError<Broken>?>(capacity: .unbounded)

    /// Emits so many numbers, then what is to be thrown.
    func service(
      _ error: ServiceError<Broken>? = nil, capacity: TaskChannelCapacity = 0
    ) -> StreamService<Int, Int, Broken> {
      .answering(capacity: capacity) { count, emit throws(ServiceError<Broken>) in
        do throws(ServiceError<Broken>) {
          for number in 0..<count {
            emitted.withLock { $0.append(number) }
            try await emit(number)
          }
          if let error { throw error }
          _ = try? ends.offer(nil)
        } catch {
          _ = try? ends.offer(error)
          throw error
        }
      }
    }
  }

  @Test func `a stream has all values, and its error behind them`() async throws {
    let numbers = Numbers()
    var received: [Int] = []
    await #expect(throws: ServiceError.failed(Broken(input: 9))) {
      for try await number in numbers.service(.failed(Broken(input: 9)), capacity: 8)(5) {
        received.append(number)
      }
    }
    #expect(received == [0, 1, 2, 3, 4])
  }

  @Test func `a stream that is over stays over, and lets go of its work`() async throws {
    for error in [nil, ServiceError.failed(Broken(input: 9))] {
      weak var held: Held?
      var values: ServiceStream<Int, Broken>.AsyncIterator
      do {
        let new = Held()
        held = new
        values = StreamService<Void, Int, Broken>.answering { _, _ throws(ServiceError<Broken>) in
          try withExtendedLifetime(new) { () throws(ServiceError<Broken>) in if let error { throw error } }
        }().makeAsyncIterator()
      }
      if let error {
        await #expect(throws: error) { try await values.next() }
      } else {
        #expect(try await values.next() == nil)
      }
      #expect(try await values.next() == nil)
      await until { held == nil }
    }
  }

  @Test func `work is no further ahead than its stream allows`() async throws {
    let numbers = Numbers()
    var values = numbers.service(capacity: 2)(1_000).makeAsyncIterator()
    for number in 0..<20 {
      #expect(try await values.next() == number)
      // Two that wait, and one that is being sent.
      #expect(numbers.emitted.withLock { $0.count } <= number + 4)
    }
  }

  @Test func `leaving the loop cancels the work`() async throws {
    let numbers = Numbers()
    for try await number in numbers.service()(.max) where number == 3 { break }
    #expect(try await numbers.ends.next("the work to end") == .some(.cancelled))
  }

  @Test func `asking for one value of many cancels the rest`() async throws {
    let numbers = Numbers()
    #expect(try await numbers.service().asAsync()(.max) == 0)
    #expect(try await numbers.ends.next("the work to end") == .some(.cancelled))
  }

  @Test func `a stream without a value is unanswered`() async throws {
    let service = Numbers().service().asAsync()
    await #expect(throws: ServiceError<Broken>.unanswered) { try await service(0) }
    let answers = TaskChannel<ServiceAnswer<Int, Broken>>(capacity: .unbounded)
    Numbers().service().asCallback()(0) { _ = try? answers.offer($0) }
    #expect(try await answers.next("an answer") == .failure(.unanswered))
  }

  @Test func `a callback that is dropped is unanswered`() async throws {
    let service = CallbackService<Int, String, Broken> { _, _ in Task {} }
    let answers = TaskChannel<Answer>(capacity: .unbounded)
    let call = service(1) { _ = try? answers.offer($0) }
    #expect(try await answers.next("an answer") == .failure(.unanswered))
    call.cancel()
    #expect(answers.takeNow().isEmpty)
    await #expect(throws: ServiceError<Broken>.unanswered) { try await service.asAsync()(1) }
  }

  @Test(arguments: Direction.all.filter { $0.target != .callback })
  func `a task that is cancelled already starts nothing`(direction: Direction) async throws {
    let work = ScriptedWork(.value)
    let service = work.service(direction.source).adapted(to: direction.target)
    let answer = await Task { () -> Answer? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(ServiceError<Broken>) {
        switch service {
        case .async(let service): return .success(try await service(1))
        case .stream(let service):
          var values = service(1).makeAsyncIterator()
          return .success(try await values.next() ?? "")
        case .callback: return nil
        }
      } catch {
        return .failure(error)
      }
    }.value
    #expect(answer == .failure(.cancelled))
    #expect(work.started == 0)
  }

  @Test func `functions that throw anything keep what they throw, and cancellations are told apart`()
    async throws
  {
    let service = AsyncService { (isCancelled: Bool) -> Int in
      if isCancelled { throw CancellationError() }
      throw Broken(input: 4)
    }
    do throws(ServiceError<any Error>) {
      _ = try await service(false)
    } catch .failed(let error) {
      #expect(error as? Broken == Broken(input: 4))
    } catch {
      Issue.record("it is no failure: \(error)")
    }
    do throws(ServiceError<any Error>) {
      _ = try await service(true)
    } catch .cancelled {
      return
    } catch {
      Issue.record("it is no cancellation: \(error)")
    }
  }

  @Test func `a call that is dropped goes on, and what it holds is let go with its answer`() async throws {
    let work = ScriptedWork(.waits)
    let answers = TaskChannel<Answer>(capacity: .unbounded)
    weak var held: Held?
    do {
      let new = Held()
      held = new
      guard case .callback(let service) = work.service(.callback) else { return }
      service(1) { answer in
        withExtendedLifetime(new) {}
        _ = try? answers.offer(answer)
      }
    }
    #expect(held != nil)
    work.tell()
    #expect(try await answers.next("an answer") == .success("1"))
    await until { held == nil }
  }

  private final class Held: Sendable {}
}
