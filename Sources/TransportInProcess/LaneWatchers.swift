import Pipeline
import Posix

/// Who wants to know when a mailbox closes.
final class LaneWatchers: Sendable {
  private let inboxes = Lock<[ObjectIdentifier: any Inbox]>([:])

  func add(_ inbox: any Inbox, for outlet: ObjectIdentifier) {
    inboxes.withLock { $0[outlet] = inbox }
  }

  func remove(_ outlet: ObjectIdentifier) {
    inboxes.withLock { $0[outlet] = nil }
  }

  func removeAll() -> [any Inbox] {
    inboxes.withLock { inboxes in
      defer { inboxes = [:] }
      return Array(inboxes.values)
    }
  }
}
