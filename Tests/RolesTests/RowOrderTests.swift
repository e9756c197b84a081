import Pipeline
import Testing

@testable import Roles

/// Rows go out when they may, and each once.
struct RowOrderTests {
  private func rows(_ ordinals: UInt64...) -> [NumberedRow] {
    ordinals.map { NumberedRow(number: $0 + 1, ordinal: $0, failure: nil, json: []) }
  }

  @Test func `rows of submitted jobs go out as they come`() {
    var order = RowOrder(isOrdered: false)
    #expect(order.arrived(rows(3, 1), submitted: 5).map(\.ordinal) == [3, 1])
    #expect(order.arrived(rows(0, 4, 2), submitted: 5).map(\.ordinal) == [0, 4, 2])
  }

  @Test func `rows wait until their job is submitted`() {
    var order = RowOrder(isOrdered: false)
    #expect(order.arrived(rows(7, 0, 5), submitted: 1).map(\.ordinal) == [0])
    #expect(order.released(submitted: 5).isEmpty)
    #expect(order.released(submitted: 6).map(\.ordinal) == [5])
    #expect(order.arrived(rows(6), submitted: 7).map(\.ordinal) == [6])
    #expect(order.released(submitted: 100).map(\.ordinal) == [7])
    #expect(order.released(submitted: 100).isEmpty)
  }

  @Test func `in order, a row waits for those before it, and for its job`() {
    var order = RowOrder(isOrdered: true)
    #expect(order.arrived(rows(2, 1), submitted: 2).isEmpty)
    #expect(order.arrived(rows(0), submitted: 2).map(\.ordinal) == [0, 1])
    #expect(order.released(submitted: 3).map(\.ordinal) == [2])
  }
}
