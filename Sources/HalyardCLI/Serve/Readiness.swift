import Assembly
import LinkPreviews
import Pipeline
import Posix
import Roles

/// Whether the service can do its work now: what stands before it sends requests elsewhere when it cannot.
final class Readiness: Sendable {
  private let isEnding = Lock(false)
  /// Why the fleet cannot be asked; nil when it can, or is not needed.
  private let fleetsFault: Lock<String?>
  /// Between questions to a fleet that answers.
  private static let restMilliseconds = 2_000
  /// Before one that did not answer is asked again.
  private static let pauseMilliseconds = 500

  /// - Parameter needsFleet: It is not ready before one has answered.
  init(needsFleet: Bool) {
    fleetsFault = Lock(needsFleet ? "the fleet has not answered yet" : nil)
  }

  /// Why it is not ready; nil when it is.
  var problem: Problem? {
    if isEnding.withLock({ $0 }) { return Problem(.shutDown) }
    return fleetsFault.withLock { $0 } == nil ? nil : .unavailable
  }

  func ends() { isEnding.withLock { $0 = true } }

  func fleetAnswered() { fleetsFault.withLock { $0 = nil } }

  /// - Returns: Whether this is news.
  @discardableResult
  func fleetFailed(_ why: String) -> Bool {
    fleetsFault.withLock { fault in
      defer { fault = why }
      return fault != why
    }
  }

  /// Asks the fleet again and again whether it is there.
  func watch(_ fleet: FleetLinkPlan, _ log: any Log) async throws {
    while true {
      do {
        try await fleet.withLink { link in
          let client = link.client
          let batch = link.ports.newBatch()
          while true {
            _ = try await client.progress(of: batch)
            self.fleetAnswered()
            try await Task.sleep(for: .milliseconds(Self.restMilliseconds))
          }
        }
      } catch {
        try Task.checkCancellation()
        let why = Reload.words(error)
        if fleetFailed(why) { log.record(.warning, "the fleet cannot be asked", [LogField("cause", why)]) }
      }
      try await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))
    }
  }
}
