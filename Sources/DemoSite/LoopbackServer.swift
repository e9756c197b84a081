package import Posix

/// An HTTP/1.1 server on 127.0.0.1 whose handler writes its answers byte by byte, right or wrong.
///
/// Every connection has a thread of its own, up to a bound; further ones wait to be accepted.
package final class LoopbackServer: Sendable {
  /// Answers one request; it may block and runs on the connection's thread.
  ///
  /// An error ends the connection. It must not call `stop()`, which waits for it.
  package typealias Handler = @Sendable (Exchange) throws(PosixError) -> AfterAnswer

  /// The port it listens on.
  package let port: UInt16
  private let stopSignal: StopSignal
  private let acceptor: Posix.Thread

  private init(port: UInt16, stopSignal: StopSignal, acceptor: Posix.Thread) {
    self.port = port
    self.stopSignal = stopSignal
    self.acceptor = acceptor
  }

  /// Listens on `port`, or on one the system chooses for 0.
  package static func start(
    port: UInt16 = 0, maximumConnections: UInt32 = 512, handler: @escaping Handler
  ) throws(PosixError) -> LoopbackServer {
    let listener = try Listener(port: port)
    let stopSignal = try StopSignal()
    let connections = Connections(
      stopSignal: stopSignal, permits: try Permits(maximumConnections), handler: handler)
    // The thread alone holds the listener, so the port is free when the thread has ended.
    let thread = try Posix.Thread.start(name: "loopback server") { connections.acceptAll(from: listener) }
    return LoopbackServer(port: listener.port, stopSignal: stopSignal, acceptor: thread)
  }

  /// Closes the port and all connections, wakes every handler and waits until their threads have ended.
  package func stop() {
    stopSignal.raise()
    acceptor.join()
  }

  deinit { stop() }
}

/// The connections of one server and the threads that serve them.
private final class Connections: Sendable {
  private let stopSignal: StopSignal
  private let permits: Permits
  private let handler: LoopbackServer.Handler
  /// The numbers of connections that are over and whose threads can be joined without waiting.
  private let finished = Lock<[Int]>([])

  init(stopSignal: StopSignal, permits: Permits, handler: @escaping LoopbackServer.Handler) {
    self.stopSignal = stopSignal
    self.permits = permits
    self.handler = handler
  }

  func acceptAll(from listener: Listener) {
    var threads: [Int: Posix.Thread] = [:]
    for number in 0... {
      do throws(PosixError) {
        try permits.take(unless: stopSignal)
        threads[number] = try startConnection(number, from: listener)
      } catch {
        if error.isStopped { break }
        // Out of descriptors or threads: a connection that ends may free some.
        try? stopSignal.sleep(milliseconds: 20)
      }
      for done in takeFinished() { threads.removeValue(forKey: done)?.join() }
    }
    for thread in threads.values { thread.join() }
  }

  private func startConnection(_ number: Int, from listener: Listener) throws(PosixError) -> Posix.Thread {
    do throws(PosixError) {
      let socket = try listener.accept(unless: stopSignal)
      return try Posix.Thread.start(name: "connection \(number)", stackBytes: 512 << 10) {
        try? self.serve(socket)
        self.finished.withLock { $0.append(number) }
        self.permits.giveBack()
      }
    } catch {
      permits.giveBack()
      throw error
    }
  }

  private func serve(_ socket: StreamSocket) throws(PosixError) {
    var reader = RequestReader(socket, unless: stopSignal)
    while let next = try reader.next() {
      switch next {
      case .failure(let refusal):
        return try socket.write(
          Answer(status: refusal.rawValue).bytes(withBody: true, closing: true), unless: stopSignal)
      case .success(let request):
        guard try handler(Exchange(request, on: socket, unless: stopSignal)) == .keepAlive else { return }
      }
    }
  }

  private func takeFinished() -> [Int] {
    finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
  }
}
