import HTTPMessages
import Posix

/// Messages from tasks to the loop's thread. One ring of the bell announces all that arrive before the thread looks.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// The last one of a task, as `end` is.
    case answer(Response, to: UInt64)
    case head(ResponseHead, to: UInt64)
    case part([UInt8], to: UInt64)
    /// nil when the stream failed.
    case end([UInt8]?, to: UInt64)
    case finish(within: Milliseconds)
  }

  let bell: Bell
  /// Whether the thread has ended, after which no one reads messages.
  let isOver = Condition(false) { $0 }
  private let messages = Lock<[Message]>([])

  init() throws(PosixError) {
    bell = try Bell()
  }

  func put(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { bell.ring() }
  }

  /// After the bell.
  func take() -> [Message] {
    bell.silence()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

/// Something that tasks wait for.
final class Condition<State: Sendable>: Sendable {
  private let held: Lock<(state: State, waiters: [CheckedContinuation<Void, Never>])>
  private let isMet: @Sendable (State) -> Bool

  init(_ state: State, isMet: @escaping @Sendable (State) -> Bool) {
    self.isMet = isMet
    held = Lock((state, []))
  }

  var state: State { held.withLock { $0.state } }

  /// Wakes those who wait if it is met now.
  func change(_ body: @Sendable (inout State) -> Void) {
    let waiters: [CheckedContinuation<Void, Never>] = held.withLock { held in
      body(&held.state)
      guard isMet(held.state) else { return [] }
      defer { held.waiters = [] }
      return held.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isMetNow = held.withLock { held in
        let isMetNow = isMet(held.state)
        if !isMetNow { held.waiters.append(continuation) }
        return isMetNow
      }
      if isMetNow { continuation.resume() }
    }
  }
}
