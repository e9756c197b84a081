import HTTPMessages
import Posix

/// Messages from tasks to the loop's thread. One ring of the bell announces all that arrive before the thread looks.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case answer(Response, to: UInt64)
    case head(ResponseHead, to: UInt64)
    case part([UInt8], to: UInt64)
    /// nil when the stream failed.
    case end([UInt8]?, to: UInt64)
    case finish(within: Milliseconds)
  }

  let bell: Bell
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
