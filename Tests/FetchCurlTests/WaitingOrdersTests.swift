import Pipeline
import Testing

@testable import FetchCurl

@Suite(.timeLimit(.minutes(10)))
struct WaitingOrdersTests {
  private func answer(room: Int, _ body: (FetchOrder) -> Void) async -> Result<FetchResponse, Failure> {
    await withCheckedContinuation { continuation in
      body(
        FetchOrder(
          request: FetchRequest(url: "http://a.test/", body: .nothing, deadline: deadline()),
          ticket: Ticket(),
          started: 0, deadline: .max, continuation: continuation, room: room))
    }
  }

  @Test(arguments: [0, 1_000])
  func `an order that is cancelled while the cancelled ones are taken out is taken or stays`(room: Int) async
  {
    let cancelled = Failure(.cancelled, at: .queue, "cancelled")
    let answer = await answer(room: room) { order in
      var waiting = WaitingOrders()
      waiting.append(order)
      let taken = waiting.take { order in
        defer { order.ticket.cancel() }
        return order.ticket.isCancelled
      }
      let left = waiting.next(room: room)
      #expect(taken.count + (left == nil ? 0 : 1) == 1)
      (taken.first ?? left ?? order).finish(.failure(cancelled))
    }
    #expect(answer.failure == cancelled)
  }
}
