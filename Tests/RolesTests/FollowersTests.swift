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

  private static let batch = BatchID(UUIDv7(high: 1, low: 1))
  private static let reader = Address("inproc://reader")

  /// A reader to which two rows were sent that take all of its room.
  private func followersWithoutRoom() throws -> Followers {
    var followers = Followers()
    followers.asked(for: Self.batch, by: Self.reader, confirmed: 0, limit: 100)
    var follower = try #require(followers.all.first)
    for number: UInt64 in [1, 2] {
      let json = [UInt8](repeating: 0, count: Followers.mostBytesUnderWay / 2)
      follower.sends([NumberedRow(number: number, ordinal: 0, failure: nil, json: json)])
    }
    followers.served(follower)
    #expect(followers.all.map(\.room) == [0])
    return followers
  }

  @Test func `what a reader confirms makes room for more`() throws {
    var followers = try followersWithoutRoom()
    followers.asked(for: Self.batch, by: Self.reader, confirmed: 1, limit: 100)
    #expect(followers.all.map(\.room) == [Followers.mostBytesUnderWay / 2])
    #expect(followers.all.map(\.sent) == [2])
  }

  @Test(arguments: [true, false])
  func `what a reader asks for again is sent again, unless it has not left`(isSending: Bool) throws {
    var followers = try followersWithoutRoom()
    followers.asked(for: Self.batch, by: Self.reader, confirmed: 0, limit: 100, isSending: isSending)
    #expect(followers.all.map(\.sent) == [isSending ? 2 : 0])
    #expect(followers.all.map(\.room) == [isSending ? 0 : Followers.mostBytesUnderWay])
  }

  @Test func `a reader that has left is not kept`() throws {
    var followers = try followersWithoutRoom()
    let follower = try #require(followers.all.first)
    followers.left(Self.reader)
    followers.served(follower)
    #expect(followers.all.isEmpty)
  }

  private func address(_ number: UInt64) -> Address { Address("inproc://reader-\(number)") }
  private func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 2, low: number)) }

  @Test func `one address follows no more than 64 batches, the last ones it asked for`() {
    var followers = Followers()
    followers.asked(for: Self.batch, by: Self.reader, confirmed: 0, limit: 100)
    for number: UInt64 in 0..<1_000 {
      followers.asked(for: batch(number), by: address(1), confirmed: 0, limit: 100)
    }
    #expect(followers.all.count { $0.address == address(1) } == 64)
    #expect(followers.all.contains { $0.batch == batch(999) })
    #expect(followers.all.contains { $0.address == Self.reader })
  }

  @Test func `many addresses have no more followers than there may be`() {
    var followers = Followers()
    for number: UInt64 in 0..<5_000 {
      followers.asked(for: batch(number), by: address(number), confirmed: 0, limit: 100)
    }
    #expect(followers.all.count == Followers.most)
  }

  @Test func `many followers are served some at a time, each once`() {
    var followers = Followers()
    for number: UInt64 in 0..<200 {
      followers.asked(for: Self.batch, by: address(number), confirmed: 0, limit: 100)
    }
    followers.owe()
    var served: [Address] = []
    while followers.areOwed {
      let page = followers.next()
      #expect(page.count <= Followers.servedAtOnce)
      served += page.map(\.address)
    }
    #expect(served == (0..<200).map { address($0) })
  }

  @Test func `who is owed nothing more is passed over`() {
    var followers = Followers()
    for number: UInt64 in 0..<3 {
      followers.asked(for: Self.batch, by: address(number), confirmed: 0, limit: 100)
    }
    followers.owe()
    for var follower in followers.next() where follower.address == address(1) {
      follower.knowsTheEnd = true
      followers.served(follower)
    }
    followers.owe()
    #expect(followers.next().map(\.address) == [address(0), address(2)])
    #expect(!followers.areOwed)
  }
}
