import Glibc
internal import Posix

/// The server's end of one connection of a `RawServer`; closed when its handler returns.
package struct RawPeer: Sendable {
  let socket: StreamSocket
  let stopping: StopSignal

  /// The next request's head; nil when the client has gone.
  package func readRequest() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = try? socket.read(limit: 1, unless: stopping), !byte.isEmpty else { return nil }
      head += byte
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Exactly so many bytes; nil when the client has gone.
  package func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = try? socket.read(limit: count - bytes.count, unless: stopping), !more.isEmpty else {
        return nil
      }
      bytes += more
    }
    return bytes
  }

  /// Carries bytes to and from another port of loopback until both sides have said all.
  package func passOn(toPort port: UInt16) {
    guard let other = try? StreamSocket.connect(port: port) else { return }
    let back = try? Thread.start(name: "raw passage") { [socket, stopping] in
      Self.copy(from: other, to: socket, stopping)
    }
    Self.copy(from: socket, to: other, stopping)
    back?.join()
  }

  private static func copy(from source: StreamSocket, to target: StreamSocket, _ stopping: StopSignal) {
    while let bytes = try? source.read(unless: stopping), !bytes.isEmpty {
      guard (try? target.write(bytes, unless: stopping)) != nil else { return }
    }
    target.finishWriting()
  }

  /// False when the client has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    (try? socket.write(bytes, unless: stopping)) != nil
  }

  @discardableResult
  package func send(_ text: String) -> Bool {
    send([UInt8](text.utf8))
  }

  /// Sends the bytes one by one with a pause behind each; false when the client has gone.
  @discardableResult
  package func drip(_ text: String, pauseMilliseconds: Int32) -> Bool {
    text.utf8.allSatisfy { send([$0]) && !awaitHangUp(milliseconds: pauseMilliseconds) }
  }

  /// Waits until the client hangs up, at most this long; true when it has.
  @discardableResult
  package func awaitHangUp(milliseconds: Int32 = 60_000) -> Bool {
    do {
      while try !socket.read(unless: stopping, milliseconds: milliseconds).isEmpty {}
      return true
    } catch {
      return error.code != ETIMEDOUT
    }
  }

  /// Makes the coming close a reset.
  package func resetOnClose() {
    socket.resetOnClose()
  }
}
