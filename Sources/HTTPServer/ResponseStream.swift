import HTTPMessages
import Posix

/// The client left before it had all of a response, or the server ended.
package struct ClientGone: Error {}

/// Lets a task write a response piece by piece, and makes it wait while the client is slow.
package final class ResponseStream: Sendable {
  private struct Flow {
    var unsent = 0
    var isGone = false
  }

  /// A writer waits above the first, until there is less than the second.
  private static let most = 64 << 10
  private static let enough = 16 << 10

  let isChunked: Bool
  private let id: UInt64
  private let mailbox: Mailbox
  private let flow = Condition(Flow()) { $0.isGone || $0.unsent < enough }

  init(id: UInt64, mailbox: Mailbox, isChunked: Bool) {
    (self.id, self.mailbox, self.isChunked) = (id, mailbox, isChunked)
  }

  func give(_ reply: Reply, to request: Request) async {
    switch reply {
    case .whole(let answer): mailbox.put(.answer(answer, to: id))
    case .stream(let head, let produce):
      mailbox.put(.head(head, to: id))
      let hasContent = request.head.method != .head && head.canHaveContent
      guard hasContent else { return mailbox.put(.end([], to: id)) }
      do {
        try await produce(self)
        mailbox.put(.end(isChunked ? Chunk.end : [], to: id))
      } catch {
        mailbox.put(.end(nil, to: id))
      }
    }
  }

  /// Returns once the client is not far behind; throws `ClientGone`.
  package func write(_ bytes: [UInt8]) async throws {
    let part = isChunked ? Chunk.framed(bytes) : bytes
    guard !part.isEmpty else { return }
    guard !flow.state.isGone else { throw ClientGone() }
    flow.change { $0.unsent += part.count }
    mailbox.put(.part(part, to: id))
    guard flow.state.unsent > Self.most else { return }
    await withTaskCancellationHandler {
      await flow.wait()
    } onCancel: {
      clientLeft()
    }
    guard !flow.state.isGone else { throw ClientGone() }
  }

  func clientTook(_ count: Int) {
    flow.change { $0.unsent = max(0, $0.unsent - count) }
  }

  func clientLeft() {
    flow.change { $0.isGone = true }
  }
}
