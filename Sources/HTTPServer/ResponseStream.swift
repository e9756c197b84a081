import HTTPMessages
import Posix

/// The client left before it had all of a response, or the server ended.
package struct ClientGone: Error {}

/// Makes the response to a request in a task, piece by piece if need be, and makes that wait while the client is slow.
package final class ResponseStream: Sendable {
  private struct Flow {
    var unsent = 0
    var isGone = false
    /// Those that wait until the client is not far behind, or gone.
    var writers: [CheckedContinuation<Void, Never>] = []

    var mayGoOn: Bool { isGone || unsent < enough }
  }

  /// A writer waits above the first, until there is less than the second.
  private static let most = 64 << 10
  private static let enough = 16 << 10

  let head: RequestHead
  private let work: Reaction.Work
  private let id: UInt64
  private let mailbox: Mailbox
  private let flow = Lock(Flow())

  /// - Parameter id: Of the connection.
  init(to head: RequestHead, _ work: @escaping Reaction.Work, id: UInt64, mailbox: Mailbox) {
    (self.head, self.work, self.id, self.mailbox) = (head, work, id, mailbox)
  }

  /// The task that runs this is cancelled when the client leaves.
  func run(with body: [UInt8]) async {
    await withTaskCancellationHandler {
      switch await work(Request(head: head, body: body)) {
      case .whole(let response): tell { $0.taskGave(response) }
      case .stream(let response, let produce): await stream(response, produce)
      }
    } onCancel: {
      change { $0.isGone = true }
    }
    mailbox.put { $0.taskEnded() }
  }

  private func stream(
    _ response: ResponseHead, _ produce: @Sendable (ResponseStream) async throws -> Void
  ) async {
    tell { $0.streamBegan(response) }
    let hasContent = head.method != .head && response.canHaveContent
    do {
      if hasContent { try await produce(self) }
      let end = hasContent && head.isVersion11 ? Chunk.end : []
      tell { $0.streamEnded(end) }
    } catch {
      tell { $0.streamEnded(nil) }
    }
  }

  /// Returns once the client is not far behind; throws `ClientGone`.
  package func write(_ bytes: [UInt8]) async throws {
    let part = head.isVersion11 ? Chunk.framed(bytes) : bytes
    guard !part.isEmpty else { return }
    guard !flow.value.isGone else { throw ClientGone() }
    change { $0.unsent += part.count }
    tell { $0.streamGave(part) }
    guard flow.value.unsent > Self.most else { return }
    await withCheckedContinuation { writer in
      change { $0.writers.append(writer) }
    }
    guard !flow.value.isGone else { throw ClientGone() }
  }

  func clientTook(_ count: Int) {
    change { $0.unsent = max(0, $0.unsent - count) }
  }

  /// Wakes the writers if they may go on now.
  private func change(_ body: (inout Flow) -> Void) {
    let writers = flow.withLock { flow in
      body(&flow)
      return flow.mayGoOn ? exchange(&flow.writers, with: []) : []
    }
    for writer in writers { writer.resume() }
  }

  private func tell(_ what: @escaping @Sendable (Connection) -> Void) {
    mailbox.put { [id] in $0.tell(id, what) }
  }
}
