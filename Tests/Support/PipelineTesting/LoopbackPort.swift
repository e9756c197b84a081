import Posix

/// TCP ports of this machine for tests that must know an address before an inbox is bound there.
///
/// Below the ports that the system gives to outgoing connections, which would take one in between.
package enum LoopbackPort {
  private static let last = Lock(UInt16(10_000 + SystemTime.monotonicMicroseconds % 20_000))

  /// A port that is free, and that no other test of this process gets.
  package static func next() -> UInt16 {
    while true {
      let port = last.withLock { last in
        last = last < 32_000 ? last + 1 : 10_000
        return last
      }
      if (try? Listener(port: port)) != nil { return port }
    }
  }
}
