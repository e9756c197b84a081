import Links
import Pipeline
import Posix

/// What a fetcher knows of robots.txt files. Of all walks that come to an origin at once, one asks, and the others wait
/// for it.
final class RobotsCache: Sendable {
  enum Claim {
    case known(RobotsAccess)
    /// The walk has to ask, and to settle what it found, whatever that is.
    case isYours
    case isUnderWay
  }

  enum Wait: Sendable {
    /// Look again.
    case over
    case failed(Failure)
    case tooLate
    case cancelled
  }

  private struct State: Sendable {
    var shelf: RobotsShelf
    var flights: [Origin: [Promise<Wait>]] = [:]
  }

  let product: ProductToken
  private let state: Lock<State>

  init(for product: ProductToken, shelf: RobotsShelf = RobotsShelf()) {
    self.product = product
    state = Lock(State(shelf: shelf))
  }

  func claim(_ origin: Origin, at now: Moment) -> Claim {
    state.withLock { state in
      if let access = state.shelf.access(to: origin, at: now) { return .known(access) }
      guard state.flights[origin] == nil else { return .isUnderWay }
      state.flights[origin] = []
      return .isYours
    }
  }

  /// - Returns: Whether there is something to go by now.
  func settle(_ origin: Origin, _ finding: RobotsFinding, at now: Moment) -> Bool {
    let (isKnown, wait, waiting) = state.withLock { state in
      let (isKnown, wait): (Bool, Wait)
      switch finding {
      case .known(let access, let time):
        state.shelf.keep(access, for: origin, until: now.advanced(byMilliseconds: time))
        (isKnown, wait) = (true, .over)
      case .notNow(let reason, let asked):
        (isKnown, wait) = (state.shelf.failed(reason, at: origin, askAgainAfter: asked, now: now), .over)
      case .failed(let failure, host: _):
        isKnown = state.shelf.failed(nil, at: origin, askAgainAfter: nil, now: now)
        wait = isKnown ? .over : .failed(failure)
      case .brokenOff: (isKnown, wait) = (false, .over)
      }
      return (isKnown, wait, state.flights.removeValue(forKey: origin) ?? [])
    }
    for end in waiting { end.keep(wait) }
    return isKnown
  }

  /// Walks that wait for one that asks.
  func waiting(at origin: Origin) -> Int { state.withLock { $0.flights[origin]?.count ?? 0 } }

  /// Returns when the walk that asks has settled, or the deadline has come.
  func wait(for origin: Origin, until deadline: Moment, on clock: any PipelineClock) async -> Wait {
    let end = Promise<Wait>()
    state.withLock { if $0.flights[origin]?.append(end) == nil { end.keep(.over) } }
    let wait = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await clock.sleep(until: deadline)
          end.keep(.tooLate)
        } catch {}
      }
      defer { group.cancelAll() }
      return await withTaskCancellationHandler {
        await end.value
      } onCancel: {
        end.keep(.cancelled)
      }
    }
    state.withLock { $0.flights[origin]?.removeAll { $0 === end } }
    return wait
  }
}

/// What is known of origins, for a while: the least used go first when there are too many.
///
/// While a server does not give its file, it is asked after 10 s, 20 s, 40 s and so on up to 5 min, or when it says.
/// What it said before is trusted meanwhile.
struct RobotsShelf {
  private struct Entry {
    var access: RobotsAccess
    var until: Moment
    /// In a row.
    var failures = 0
    var usedAt: UInt64
  }

  private let mostOrigins: Int
  private let mostWeight: Int
  private var entries: [Origin: Entry] = [:]
  private var weight = 0
  private var uses: UInt64 = 0

  private static let firstPause: Int64 = 10_000
  private static let longestPause: Int64 = 300_000

  init(mostOrigins: Int = 10_000, mostWeight: Int = 64 << 20) {
    (self.mostOrigins, self.mostWeight) = (mostOrigins, mostWeight)
  }

  var count: Int { entries.count }

  /// - Returns: nil when it is to be asked for, for the first time or again.
  mutating func access(to origin: Origin, at now: Moment) -> RobotsAccess? {
    guard let entry = entries[origin], entry.until > now else { return nil }
    uses += 1
    entries[origin]?.usedAt = uses
    return entry.access
  }

  mutating func keep(_ access: RobotsAccess, for origin: Origin, until moment: Moment) {
    put(Entry(access: access, until: moment, usedAt: uses), for: origin)
  }

  /// - Returns: Whether there is something to go by all the same.
  mutating func failed(_ reason: String?, at origin: Origin, askAgainAfter asked: Int64?, now: Moment) -> Bool
  {
    let earlier = entries[origin]
    let failures = earlier?.failures ?? 0
    let backoff = min(Self.longestPause, Self.firstPause << Int64(min(failures, 5)))
    let pause = min(max(asked ?? backoff, Self.firstPause), Self.longestPause)
    let until = now.advanced(byMilliseconds: pause)
    let access: RobotsAccess
    switch (earlier?.access, reason) {
    case (.rules?, _), (.noRules?, _): access = earlier?.access ?? .noRules("")
    case (_, let reason?): access = .unknown(reason, until: until)
    case (_, nil): return false
    }
    put(Entry(access: access, until: until, failures: failures + 1, usedAt: uses), for: origin)
    return true
  }

  private mutating func put(_ entry: Entry, for origin: Origin) {
    uses += 1
    weight += entry.access.weight - (entries[origin]?.access.weight ?? 0)
    var entry = entry
    entry.usedAt = uses
    entries[origin] = entry
    if entries.count > mostOrigins || weight > mostWeight { clear() }
  }

  /// Down to three quarters, so that it is seldom done; the last one stays.
  private mutating func clear() {
    for (origin, entry) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
      guard entries.count > 1, entries.count > mostOrigins * 3 / 4 || weight > mostWeight / 4 * 3 else {
        return
      }
      weight -= entry.access.weight
      entries[origin] = nil
    }
  }
}
