import HTTPMessages
import Posix

/// The client left before it had all of a response, or the server ended.
package struct ClientGone: Error {}

/// Lets a task write a response piece by piece, and makes it wait while the client is slow.
package final class ResponseStream: Sendable {
  private struct State {
    var unsent = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isGone = false
  }

  /// A writer waits above the first, until there is less than the second.
  private static let most = 64 << 10
  private static let enough = 16 << 10

  private let id: UInt64
  private let mailbox: Mailbox
  let isChunked: Bool
  private let state = Lock(State())

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
    let unsent = try state.withLock { state in
      guard !state.isGone else { throw ClientGone() }
      state.unsent += part.count
      return state.unsent
    }
    mailbox.put(.part(part, to: id))
    guard unsent > Self.most else { return }
    await waitForClient()
    guard !state.withLock({ $0.isGone }) else { throw ClientGone() }
  }

  private func waitForClient() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard !state.isGone, state.unsent >= Self.enough else { return true }
          state.waiters.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      clientLeft()
    }
  }

  func clientTook(_ count: Int) {
    wake { state in
      state.unsent = max(0, state.unsent - count)
      return state.unsent < Self.enough
    }
  }

  func clientLeft() {
    wake { state in
      state.isGone = true
      return true
    }
  }

  private func wake(when change: @Sendable (inout State) -> Bool) {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard change(&state) else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
