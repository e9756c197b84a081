internal import Curl
package import Links
internal import Posix

/// The prefixes under which this machine's network reaches IPv4 addresses, as its resolver tells them (RFC 7050).
///
/// They are asked for when they are first wanted, and again later while there was no answer. All who want them wait for the
/// first answer, and not for long.
package final class NAT64Discovery: Sendable {
  private static let againMicroseconds: Int64 = 60_000_000

  private enum State {
    case unknown(notBefore: Int64)
    case underWay(until: Int64)
    case known([NAT64Prefix])
  }

  private let state = Lock(State.unknown(notBefore: .min))
  private let answered: StopSignal?
  private let resolve: @Sendable () -> [String]?
  private let now: @Sendable () -> Int64
  private let longestWaitMicroseconds: Int64

  /// - Parameters:
  ///   - resolve: The addresses of `NAT64Prefix.discoveryName`; nil without an answer. It may block.
  ///   - now: Microseconds of a clock that never jumps.
  init(
    resolve: @escaping @Sendable () -> [String]?,
    now: @escaping @Sendable () -> Int64 = { SystemTime.monotonicMicroseconds },
    longestWaitMilliseconds: Int64 = 500
  ) {
    (self.resolve, self.now, longestWaitMicroseconds) = (resolve, now, 1_000 * longestWaitMilliseconds)
    answered = try? StopSignal()
  }

  /// Asks the system's resolver.
  package convenience init() {
    self.init(resolve: {
      switch NameLookup.ask(for: NAT64Prefix.discoveryName) {
      case .found(let addresses): addresses
      case .noSuchName: []
      case .unanswered: nil
      }
    })
  }

  /// None while the resolver has not answered.
  package var prefixes: [NAT64Prefix] {
    let time = now()
    let (asks, until) = state.withLock { state -> (Bool, Int64) in
      switch state {
      case .known: return (false, time)
      case .underWay(let until): return (false, until)
      case .unknown(let moment):
        guard time >= moment else { return (false, time) }
        let until = moment == .min ? time + longestWaitMicroseconds : time
        state = .underWay(until: until)
        return (true, until)
      }
    }
    if asks { ask() }
    if until > time { try? answered?.sleep(milliseconds: Int32(clamping: (until - time + 999) / 1_000)) }
    return state.withLock { if case .known(let prefixes) = $0 { prefixes } else { [] } }
  }

  private func ask() {
    let thread = try? Thread.start(name: "nat64") { [self] in settle(resolve()) }
    if thread == nil { settle(nil) }
  }

  private func settle(_ addresses: [String]?) {
    let found = addresses.map { NAT64Prefix.found(in: $0.compactMap { IPAddress($0) }) }
    let again = now() + Self.againMicroseconds
    state.withLock { $0 = found.map(State.known) ?? .unknown(notBefore: again) }
    answered?.raise()
  }
}
