internal import Posix

/// A loopback server that says exactly the bytes a test wants, on one thread per connection.
package final class RawServer: Sendable {
  package typealias Handler = @Sendable (RawPeer) -> Void

  private let listener: Listener
  private let stopping: StopSignal
  private let accepted = Lock(0)
  private let occupant: StreamSocket?
  private static let stackBytes = 128 << 10

  package init(_ handler: @escaping Handler) {
    do {
      listener = try Listener()
      stopping = try StopSignal()
      occupant = nil
      _ = try Thread.start(name: "raw server") { [self] in acceptAll(handler) }
    } catch {
      fatalError("no loopback server: \(error)")
    }
  }

  private init(unattended listener: Listener, occupiedBy socket: StreamSocket) throws(PosixError) {
    self.listener = listener
    occupant = socket
    stopping = try StopSignal()
  }

  /// A server that has no place left for connections: who connects is not even refused.
  package static func full() -> RawServer {
    do {
      let listener = try Listener(backlog: 0)
      return try RawServer(unattended: listener, occupiedBy: .connect(port: listener.port))
    } catch {
      fatalError("no loopback server: \(error)")
    }
  }

  package var port: UInt16 { listener.port }

  package var connectionCount: Int { accepted.withLock { $0 } }

  package var url: String { "http://127.0.0.1:\(port)/" }

  /// Ends every wait of its handlers, and with it the connections.
  package func stop() {
    stopping.raise()
  }

  private func acceptAll(_ handler: @escaping Handler) {
    while let socket = try? listener.accept(unless: stopping) {
      accepted.withLock { $0 += 1 }
      _ = try? Thread.start(name: "raw peer", stackBytes: Self.stackBytes) { [stopping] in
        handler(RawPeer(socket: socket, stopping: stopping))
      }
    }
  }
}

/// A port of loopback on which nothing listens, kept free of others while the process lives.
package enum UnusedPort {
  private static let listener = Result { try Listener(refusing: true) }

  package static var number: UInt16 {
    switch listener {
    case .success(let listener): listener.port
    case .failure(let error): fatalError("no loopback port: \(error)")
    }
  }
}
