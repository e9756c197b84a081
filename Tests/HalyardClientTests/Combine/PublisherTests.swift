import CombineStandIn
import Halyard
import HalyardConcurrency
import HalyardTesting
import PipelineTesting
import Posix
import Testing

/// Calls and services as publishers, by Combine's rules.
@Suite(.timeLimit(.minutes(10)))
struct PublisherTests {
  private typealias Titles = Watcher<String, HalyardError>

  private static let call = HalyardCall { "A title" }

  @Test func `a subscriber gets the value, and then the end`() async throws {
    let watcher = Titles()
    Self.call.publisher.receive(subscriber: watcher)
    guard case .value("A title") = try await watcher.events.next("the value") else {
      Issue.record("no value")
      return
    }
    guard case .finished = try await watcher.events.next("the end") else {
      Issue.record("no end")
      return
    }
  }

  @Test func `a failure comes alone`() async throws {
    let watcher = Titles()
    HalyardCall<String>.failing(HalyardError(.dns, at: .dns, "no such host")).publisher
      .receive(subscriber: watcher)
    guard case .failure(let error) = try await watcher.events.next("the failure") else {
      Issue.record("no failure")
      return
    }
    #expect(error.kind == .dns)
    #expect(watcher.events.takeNow().isEmpty)
  }

  @Test func `a subscriber that cancels while it receives is told nothing more, and let go`() async throws {
    weak var gone: Titles?
    let (asked, over) = (Lock(0), TaskChannel<Void>(capacity: .unbounded))
    let call = HalyardCall {
      asked.withLock { $0 += 1 }
      // Kept until the handler, and all that it holds, is gone.
      return withExtendedLifetime(LastBreath(over)) { "A title" }
    }
    let events: TaskChannel<Titles.Event>
    do {
      let watcher = Titles(cancelsInReceive: true)
      (gone, events) = (watcher, watcher.events)
      call.publisher.receive(subscriber: watcher)
      _ = try await events.next("the value")
    }
    _ = try await over.next("the end of the work")
    // The subscription and the subscriber hold each other until one of them cancels: that is over.
    await until { gone == nil }
    #expect(events.takeNow().isEmpty)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `a subscriber is let go with its completion, and with its cancellation`() async throws {
    weak var completed: Titles?
    weak var cancelled: Titles?
    let never = HalyardCall<String> {
      _ = try await TaskChannel<Void>(capacity: 0).receive()
      return ""
    }
    do {
      let (one, other) = (Titles(), Titles())
      (completed, cancelled) = (one, other)
      Self.call.publisher.receive(subscriber: one)
      never.publisher.receive(subscriber: other)
      _ = try await one.events.next("the value")
      _ = try await one.events.next("the end")
      other.cancel()
      #expect(other.events.takeNow().isEmpty)
    }
    await until { completed == nil && cancelled == nil }
  }

  @Test func `nothing is asked before a value is wanted, and no more than once`() async throws {
    let asked = Lock(0)
    let call = HalyardCall {
      asked.withLock { $0 += 1 }
      return "A title"
    }
    let watcher = Titles(.none)
    call.publisher.receive(subscriber: watcher)
    #expect(asked.withLock { $0 } == 0)
    watcher.request(.max(1))
    watcher.request(.unlimited)
    _ = try await watcher.events.next("the value")
    _ = try await watcher.events.next("the end")
    #expect(asked.withLock { $0 } == 1)
    let other = Titles()
    call.publisher.receive(subscriber: other)
    _ = try await other.events.next("the value")
    #expect(asked.withLock { $0 } == 2)
  }

  @Test func `cancelling cancels the call, at any time`() async throws {
    let handle = CountedHandle()
    let service = CallbackService<Void, String, Broken>.answering { _, answer in
      Kept(handle: handle, answer: answer)
    }
    let watcher = Watcher<String, ServiceError<Broken>>()
    service.asPublisher(of: ()).receive(subscriber: watcher)
    watcher.cancel()
    watcher.cancel()
    #expect(handle.cancelled == 1)
    let early = Watcher<String, ServiceError<Broken>>(.none)
    service.asPublisher(of: ()).receive(subscriber: early)
    early.cancel()
    early.request(.unlimited)
    #expect(handle.cancelled == 1)
    #expect(watcher.events.takeNow().isEmpty && early.events.takeNow().isEmpty)
  }

  @Test(arguments: Style.allCases)
  func `services of every style are publishers too`(style: Style) async throws {
    let watcher = Watcher<String, ServiceError<Broken>>()
    switch ScriptedWork(.value).service(style) {
    case .async(let service): service.asPublisher(of: 7).receive(subscriber: watcher)
    case .callback(let service): service.asPublisher(of: 7).receive(subscriber: watcher)
    case .stream(let service): service.asPublisher(of: 7).receive(subscriber: watcher)
    }
    guard case .value("7") = try await watcher.events.next("the value") else {
      Issue.record("no value")
      return
    }
  }

  private final class LastBreath: Sendable {
    private let over: TaskChannel<Void>

    init(_ over: TaskChannel<Void>) { self.over = over }

    deinit { _ = try? over.offer(()) }
  }

  /// Keeps the callback, so that the call is not unanswered.
  private struct Kept: CallHandle {
    let handle: CountedHandle
    let answer: @Sendable (Answer) -> Void

    func cancel() { handle.cancel() }
  }
}
