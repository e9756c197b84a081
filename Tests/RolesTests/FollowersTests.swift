import Pipeline
import Testing

@testable import Roles

/// Rows travel in messages that fit a frame.
struct FollowersTests {
  @Test func `small rows share a message, large ones travel alone, and none is lost`() {
    let sizes = [10, 20, 3 << 20, 5, 1 << 20, 1, 1]
    let rows = sizes.enumerated().map { index, size in
      NumberedRow(number: UInt64(index + 1), ordinal: 0, failure: nil, json: Array(repeating: 0, count: size))
    }
    let messages = Followers.messages(of: rows)
    #expect(messages.map { $0.map(\.json.count) } == [[10, 20], [3 << 20], [5], [1 << 20], [1, 1]])
    #expect(messages.flatMap { $0 } == rows)
  }
}
