package import Posix

/// One request and the way to answer it with whatever bytes a test of a client needs.
package struct Exchange: Sendable {
  /// What the client asked for.
  package let request: RequestHead
  private let socket: StreamSocket
  private let stop: StopSignal

  init(_ request: RequestHead, on socket: StreamSocket, unless stop: StopSignal) {
    self.request = request
    self.socket = socket
    self.stop = stop
  }

  /// Sends bytes as they are; throws when the client is gone or the server stops.
  package func write(_ bytes: [UInt8]) throws(PosixError) {
    try socket.write(bytes, unless: stop)
  }

  /// Lets time go by; throws as soon as the server stops.
  package func delay(milliseconds: Int32) throws(PosixError) {
    try stop.sleep(milliseconds: milliseconds)
  }
}

/// What happens to a connection after a request was answered.
package enum AfterAnswer: Sendable {
  /// The next request may come on it.
  case keepAlive
  /// It is closed, also when nothing was answered.
  case close
}
