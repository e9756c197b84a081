import Pipeline
import Posix

/// Says after a second that a fleet has not answered yet.
final class WaitingNotice: Sendable {
  private static let silenceMilliseconds: Int64 = 1_000

  private let task: Lock<Task<Void, any Error>?>

  /// - Parameter isQuiet: Says nothing.
  init(_ place: FleetPlace, patienceMilliseconds: Int64, isQuiet: Bool) {
    guard !isQuiet, patienceMilliseconds > Self.silenceMilliseconds else {
      task = Lock(nil)
      return
    }
    let rest = Quantity.duration(patienceMilliseconds - Self.silenceMilliseconds)
    task = Lock(
      Task {
        try await Task.sleep(for: .milliseconds(Self.silenceMilliseconds))
        Message.show(
          "halyard: waiting for a fleet at \(Printable.text(place.address.text)), at most \(rest) more\n")
      })
  }

  func watched(_ inbox: any Inbox) -> any Inbox {
    ListeningInbox(base: inbox, notice: self)
  }

  /// It answered, or nobody waits any more.
  func end() {
    task.withLock { task in
      task?.cancel()
      task = nil
    }
  }
}

private struct ListeningInbox: Inbox {
  let base: any Inbox
  let notice: WaitingNotice

  var address: Address { base.address }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    let deliveries = try await base.receive(atMost: limit, until: moment)
    if !deliveries.envelopes.isEmpty { notice.end() }
    return deliveries
  }

  func note(_ notice: LaneNotice) async {
    await base.note(notice)
  }

  func close() async {
    await base.close()
  }
}
