import Halyard
import HalyardConcurrency
import HalyardTesting
import Pipeline
import PipelineTesting
import Posix
import Testing

/// No handler is called under its caller's feet, whoever ends the call.
@Suite(.timeLimit(.minutes(10)))
struct HandlerTests {
  private let feet = Feet()
  private let answers = TaskChannel<HalyardError.Kind?>(capacity: .unbounded)

  private func ask(_ call: HalyardCall<PageInfo>) -> any CallHandle {
    feet.stand { [feet, answers] in
      call.call { result in
        feet.tread()
        _ = try? answers.offer(result.failure?.kind)
      }
    }
  }

  private static let page = PageInfo(resolved: ResolvedLink(input: "http://a.test/"), title: "A page")

  @Test func `a handler is not called inside the cancellation`() async throws {
    let client = HalyardClient(
      stub: StubSite { _ in
        _ = try? await TaskChannel<Void>(capacity: 0).receive()
        return .page("")
      })
    for call in [client.title("http://a.test/"), client.title("http://a.test/").map { $0 }] {
      let handle = ask(call)
      feet.stand { handle.cancel() }
      #expect(try await answers.next("an answer") == .cancelled)
    }
    try await client.end()
    #expect(feet.offended == 0 && feet.answered == 2)
  }

  @Test func `a handler is not called inside a call that has its answer at once`() async throws {
    let client = HalyardClient(stub: StubSite([:]))
    try await client.end()
    _ = ask(client.title("http://a.test/"))
    #expect(try await answers.next("an answer") == .cancelled)
    _ = ask(.returning(Self.page))
    #expect(try await answers.next("an answer") == .some(nil))
    #expect(feet.offended == 0 && feet.answered == 2)
  }

  @Test func `services keep to that too, whatever their work does`() async throws {
    let answers = TaskChannel<Answer>(capacity: .unbounded)
    let handler: @Sendable (Answer) -> Void = { [feet] answer in
      feet.tread()
      _ = try? answers.offer(answer)
    }
    let atOnce = CallbackService<Int, String, Broken> { input, answer in
      answer(.success("\(input)"))
      return nil
    }
    let dropped = CallbackService<Int, String, Broken> { _, _ in nil }
    let waiting = ScriptedWork(.waits).service(.callback)
    _ = feet.stand { atOnce(7, then: handler) }
    #expect(try await answers.next("an answer") == .success("7"))
    _ = feet.stand { dropped(7, then: handler) }
    #expect(try await answers.next("an answer") == .failure(.unanswered))
    guard case .callback(let service) = waiting else { return }
    feet.stand { service(7, then: handler).cancel() }
    #expect(try await answers.next("an answer") == .failure(.cancelled))
    #expect(feet.offended == 0 && feet.answered == 3)
  }

  @Test func `of 100,000 calls under a lock, many cancelled, each has one answer outside of it`() async throws
  {
    let client = HalyardClient(
      stub: StubSite { _ in
        await Task.yield()
        return .page("")
      })
    let tally = Tally(count: 100_000)
    let random = Randomness.seeded(11)
    var handles: [any CallHandle] = []
    for number in 0..<tally.count {
      let call = client.unfurl("http://host\(number % 500).test/\(number)")
      let handle = feet.stand { [feet] in
        call.call { result in
          feet.tread()
          tally.add(result, to: number)
        }
      }
      if random.fraction() < 0.5 { handles.append(handle) }
      // Some earlier one, waiting or under way or over.
      if number % 3 == 0, !handles.isEmpty {
        let handle = handles[Int(random.fraction() * Double(handles.count))]
        feet.stand { handle.cancel() }
      }
    }
    try await tally.waitForAll()
    try await client.end()
    #expect(tally.answers == [Int](repeating: 1, count: tally.count))
    #expect(tally.values > tally.count / 2 && tally.values < tally.count)
    #expect(tally.kinds == [.cancelled])
    #expect(feet.offended == 0 && feet.answered == tally.count)
  }
}
