import Pipeline
import Testing

@testable import Roles

@Suite struct RowReadingTests {
  private let batch = BatchID(UUIDv7(high: 1, low: 2))

  private func rows(_ numbers: ClosedRange<UInt64>) -> [NumberedRow] {
    numbers.map { NumberedRow(number: $0, ordinal: 10_000 - $0, failure: nil, json: []) }
  }

  @Test func `rows that come twice are taken once`() {
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    #expect(reading.took(rows(1...3), after: 0).map(\.number) == [1, 2, 3])
    #expect(reading.took(rows(2...4), after: 1).map(\.number) == [4])
    #expect(reading.count == 4)
    #expect(reading.asks(for: batch) == .copies(of: batch, after: 4, limit: 4 + RowReading.window))
  }

  @Test func `who does not follow ends with the rows that were there`() {
    var reading = RowReading(isOrdered: false, follows: false, there: 3)
    #expect(!reading.isOver)
    #expect(reading.took(rows(1...5), after: 0).count == 3)
    #expect(reading.isOver)
    #expect(RowReading(isOrdered: false, follows: false, there: 0).isOver)
  }

  @Test func `rows that do not exist any more are not waited for`() {
    var reading = RowReading(isOrdered: false, follows: false, there: 3)
    _ = reading.took(rows(1...2), after: 0)
    #expect(reading.took([], after: 2).isEmpty)
    #expect(reading.isOver)
  }

  @Test func `rows that are there and do not come are missed, not left out`() {
    var reading = RowReading(isOrdered: false, follows: false, there: 3)
    let silent = 1..<RowReading.mostFruitless
    let isMissing = silent.contains { _ in reading.heardNoRow() }
    _ = reading.took(rows(1...1), after: 0)
    let isMissingLater = silent.contains { _ in reading.heardNoRow() }
    let isMissingAtLast = reading.heardNoRow()
    #expect(!isMissing && !isMissingLater && isMissingAtLast)
    #expect(!reading.isOver)
  }

  @Test func `who follows ends when the batch is complete, and not before its last row`() {
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    _ = reading.took(rows(1...2), after: 0)
    reading.isComplete(at: 3)
    #expect(!reading.isOver)
    let isMissing = (0..<100).contains { _ in reading.heardNoRow() }
    #expect(!isMissing)
    _ = reading.took([], after: 2)
    #expect(!reading.isOver)
    _ = reading.took(rows(3...3), after: 2)
    reading.isComplete(at: 3)
    #expect(reading.isOver)
  }

  @Test func `what waits for its turn comes in order at the end`() {
    var reading = RowReading(isOrdered: true, follows: true, there: 0)
    #expect(reading.took(rows(1...3), after: 0).isEmpty)
    #expect(reading.rest().map(\.ordinal) == [9_997, 9_998, 9_999])
  }

  @Test func `a question comes when half of the bytes that come unasked are there`() {
    let large = [UInt8](repeating: 0, count: Followers.mostBytesUnderWay / 4)
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    for number: UInt64 in [1, 3] {
      _ = reading.asks(for: batch)
      #expect(!reading.wantsMore)
      _ = reading.took(
        [NumberedRow(number: number, ordinal: number, failure: nil, json: large)], after: number - 1)
      #expect(!reading.wantsMore)
      _ = reading.took(
        [NumberedRow(number: number + 1, ordinal: number, failure: nil, json: large)], after: number)
      #expect(reading.wantsMore)
    }
  }

  @Test func `a question comes when half of the window is used up`() {
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    _ = reading.asks(for: batch)
    _ = reading.took(rows(1...(RowReading.window / 2 - 1)), after: 0)
    #expect(!reading.wantsMore)
    _ = reading.took(
      rows((RowReading.window / 2)...(RowReading.window / 2)), after: (RowReading.window / 2) - 1)
    #expect(reading.wantsMore)
  }

  @Test func `rows after one that did not come are left for the next question`() {
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    #expect(reading.took(rows(1...2), after: 0).count == 2)
    #expect(reading.took(rows(5...6), after: 4).isEmpty)
    #expect(reading.arrived == 2)
    // Rows that were withdrawn leave a gap that is none.
    #expect(reading.took(rows(5...6), after: 2).count == 2)
    #expect(reading.arrived == 6)
  }

  @Test func `numbers at the end of all numbers are survived`() {
    var reading = RowReading(isOrdered: false, follows: true, there: 0)
    let last = NumberedRow(number: .max, ordinal: .max, failure: nil, json: [])
    #expect(reading.took([last], after: 0).isEmpty)
    #expect(!reading.wantsMore || reading.arrived == .max)
    _ = reading.asks(for: BatchID(UUIDv7(high: 0, low: 0)))
    #expect(reading.rest() == [last])
  }
}
