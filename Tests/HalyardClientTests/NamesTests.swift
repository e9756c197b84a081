import Halyard
import HalyardConcurrency
import HalyardTesting
import NIOCoreStandIn
import Testing

/// This file would not compile if one of the products had a name that SwiftNIO has too.
struct NamesTests {
  private struct Socket: Channel {
    let isActive = true
  }

  private static func close(_ channel: any Channel) throws(ChannelError) {
    guard !channel.isActive else { throw .alreadyClosed }
  }

  @Test func `the names of SwiftNIO can be used beside the library`() {
    #expect(throws: ChannelError.alreadyClosed) { try Self.close(Socket()) }
  }
}
