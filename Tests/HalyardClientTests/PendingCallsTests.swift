import Pipeline
import Posix
import Roles
import Testing

@testable import Assembly

/// Which calls wait, which are jobs, and who is told.
struct PendingCallsTests {
  private let draft = JobDraft(kind: .unfurl, input: "http://a.test/")

  @Test func `a job is told of once, whatever comes again`() throws {
    var pending = PendingCalls(limit: 20)
    _ = try #require(pending.ticket(draft) { _ in })
    #expect(pending.submit(atMost: 9).count == 1)
    #expect(pending.settle(0) != nil)
    #expect(pending.settle(0) == nil)
    #expect(pending.count == 0)
  }

  @Test func `who is cancelled becomes no job, and is told nothing more`() throws {
    var pending = PendingCalls(limit: 20)
    let tickets = (0..<3).compactMap { _ in pending.ticket(draft) { _ in } }
    let waiting = pending.cancel(tickets[0])
    #expect(waiting != nil && waiting?.ordinal == nil)
    #expect(pending.submit(atMost: 9).count == 2)
    // The places of jobs, which the pipeline is to be told.
    #expect(pending.cancel(tickets[2])?.ordinal == 1)
    #expect(pending.cancel(tickets[2])?.ordinal == nil)
    #expect(pending.settle(1) == nil)
    #expect(pending.settle(0) != nil)
    #expect(pending.count == 0)
  }

  @Test func `the end tells all who wait, in their order, and nobody comes later`() throws {
    var pending = PendingCalls(limit: 20)
    let told = Lock<[Int]>([])
    for number in 0..<20 { _ = pending.ticket(draft) { _ in told.withLock { $0.append(number) } } }
    _ = pending.submit(atMost: 7)
    for answer in pending.end() { answer(.failure(.shutDown)) }
    #expect(told.withLock { $0 } == Array(0..<20))
    #expect(pending.end().isEmpty)
    #expect(pending.settle(0) == nil)
    #expect(pending.ticket(draft) { _ in } == nil)
  }

  @Test func `as many calls wait as may, and whoever is answered or cancelled makes room`() throws {
    var pending = PendingCalls(limit: 2)
    _ = try #require(pending.ticket(draft) { _ in })
    #expect(pending.submit(atMost: 9).count == 1)
    let other = try #require(pending.ticket(draft) { _ in })
    guard case .full = pending.add(draft, .normal, { _ in }) else {
      Issue.record("a third was taken")
      return
    }
    #expect(pending.settle(0) != nil)
    #expect(pending.cancel(other) != nil)
    #expect(pending.submit(atMost: 9).isEmpty)
    #expect(pending.ticket(draft) { _ in } != nil)
    #expect(pending.ticket(draft) { _ in } != nil)
    #expect(pending.ticket(draft) { _ in } == nil)
  }

  @Test func `calls that are made and cancelled at once do not pile up`() {
    var pending = PendingCalls(limit: 3)
    for _ in 0..<3 {
      guard let ticket = pending.ticket(draft, { _ in }) else { return }
      #expect(pending.cancel(ticket) != nil)
    }
    #expect(pending.ticket(draft) { _ in } == nil)
    #expect(pending.submit(atMost: 9).isEmpty)
    #expect(pending.ticket(draft) { _ in } != nil)
  }

  @Test func `calls go by their priority, and then in their order`() {
    var pending = PendingCalls(limit: 20)
    let wanted: [CallPriority] = [.low, .normal, .high, .low, .normal, .high]
    for (number, priority) in wanted.enumerated() {
      _ = pending.add(JobDraft(kind: .unfurl, input: "\(number)"), priority, { _ in })
    }
    #expect(pending.submit(atMost: 3).map(\.input) == ["2", "5", "1"])
    #expect(pending.submit(atMost: 9).map(\.input) == ["4", "0", "3"])
  }
}

extension PendingCalls {
  /// - Returns: Nil when the call is not taken.
  fileprivate mutating func ticket(_ draft: JobDraft, _ answer: @escaping Answer) -> UInt64? {
    guard case .accepted(let ticket) = add(draft, .normal, answer) else { return nil }
    return ticket
  }
}
