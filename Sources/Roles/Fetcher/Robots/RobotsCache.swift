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
    var flights: [Origin: [UInt64: CheckedContinuation<Wait, Never>]] = [:]
    var lastID: UInt64 = 0
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
      state.flights[origin] = [:]
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
      return (isKnown, wait, state.flights.removeValue(forKey: origin) ?? [:])
    }
    for (_, continuation) in waiting.inOrder { continuation.resume(returning: wait) }
    return isKnown
  }

  /// Walks that wait for one that asks.
  func waiting(at origin: Origin) -> Int { state.withLock { $0.flights[origin]?.count ?? 0 } }

  /// Returns when the walk that asks has settled, or the deadline has come.
  func wait(for origin: Origin, until deadline: Moment, on clock: any PipelineClock) async -> Wait {
    await withTaskGroup(of: Wait.self) { group in
      group.addTask { await self.settled(origin) }
      group.addTask {
        do {
          try await clock.sleep(until: deadline)
          return .tooLate
        } catch {
          return .cancelled
        }
      }
      let first = await group.next() ?? .cancelled
      group.cancelAll()
      return first
    }
  }

  private func settled(_ origin: Origin) async -> Wait {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let end: Wait? = state.withLock { state in
          guard !Task.isCancelled else { return .cancelled }
          guard state.flights[origin] != nil else { return .over }
          state.flights[origin]?[id] = continuation
          return nil
        }
        if let end { continuation.resume(returning: end) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.flights[origin]?.removeValue(forKey: id) }
      continuation?.resume(returning: .cancelled)
    }
  }
}
