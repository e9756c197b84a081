import Pipeline
import Posix
import Roles
import Testing

@testable import Halyard

/// Which calls wait, which are jobs, and who is told.
struct PendingCallsTests {
  private let draft = JobDraft(kind: .unfurl, input: "http://a.test/")

  @Test func `a job is told of once, whatever comes again`() throws {
    var desk = PendingCalls()
    let ticket = try #require(desk.add(draft) { _ in })
    #expect(desk.submit([ticket]).count == 1)
    #expect(desk.settle(0) != nil)
    #expect(desk.settle(0) == nil)
    #expect(desk.count == 0)
  }

  @Test func `who is cancelled becomes no job, and is told nothing more`() throws {
    var desk = PendingCalls()
    let tickets = (0..<3).compactMap { _ in desk.add(draft) { _ in } }
    let waiting = desk.cancel(tickets[0])
    #expect(waiting != nil && waiting?.ordinal == nil)
    #expect(desk.submit(tickets).count == 2)
    // The places of jobs, which the pipeline is to be told.
    #expect(desk.cancel(tickets[2])?.ordinal == 1)
    #expect(desk.cancel(tickets[2])?.ordinal == nil)
    #expect(desk.settle(1) == nil)
    #expect(desk.settle(0) != nil)
    #expect(desk.count == 0)
  }

  @Test func `the end tells all who wait, in their order, and nobody comes later`() throws {
    var desk = PendingCalls()
    let told = Lock<[Int]>([])
    let tickets = (0..<20).compactMap { number in desk.add(draft) { _ in told.withLock { $0.append(number) } }
    }
    _ = desk.submit(Array(tickets.prefix(7)))
    for answer in desk.end() { answer(.failure(.cancelled)) }
    #expect(told.withLock { $0 } == Array(0..<20))
    #expect(desk.end().isEmpty)
    #expect(desk.settle(0) == nil)
    #expect(desk.add(draft) { _ in } == nil)
  }
}
