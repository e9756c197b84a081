import HTTPMessages
import Posix

extension ServerLoop {
  /// In one turn, so that the present clients do not wait for long.
  private static let mostAccepted = 64
  /// Connections beyond the limit that may be open to be told so.
  private static let mostTurnedAway = 64
  private static let fullReason = "too many connections"

  func acceptAll(from index: Int) {
    guard listeners.indices.contains(index) else { return }
    let listener = listeners[index]
    for _ in 0..<Self.mostAccepted {
      do throws(PosixError) {
        guard let socket = try listener.acceptNow() else { return }
        try admit(socket)
      } catch {
        guard error.isOutOfDescriptors, acceptWithoutDescriptor(from: listener) else { return }
      }
    }
  }

  private func admit(_ socket: StreamSocket) throws(PosixError) {
    let peer = socket.peer
    let client = Client(host: peer?.host, network: peer?.network ?? [])
    let isCounted = client.host.map { !limits.isTrusted($0) } ?? false
    let isRefused = isCounted && connections.count(of: client) >= limits.connectionsOfAddress
    let isFull = !isRefused && connections.byID.count >= limits.connections && !shedOne()
    guard connections.byID.count < limits.connections + Self.mostTurnedAway else { return }
    lastID += 2
    let connection = try Connection(socket, id: lastID, client: client, loop: self)
    connections.add(connection)
    if isRefused || isFull { connection.turnAway(503, Self.fullReason) }
    settle(connection)
  }

  private func shedOne() -> Bool {
    guard let connection = connections.slowest(at: now) else { return false }
    connection.close()
    settle(connection)
    return true
  }

  /// The system also refuses when no connection waits, so this is checked before another connection has to give way.
  ///
  /// - Returns: Whether another one may wait.
  private func acceptWithoutDescriptor(from listener: Listener) -> Bool {
    spare = nil
    let didAccept = acceptInPlaceOfSpare(from: listener)
    spare = try? Bell()
    // Another part of the process may have been faster.
    if spare == nil { pauseAccepting() }
    return didAccept && spare != nil
  }

  private func acceptInPlaceOfSpare(from listener: Listener) -> Bool {
    guard let socket = try? listener.acceptNow() else { return false }
    if shedOne() {
      try? admit(socket)
    } else {
      var answer: [UInt8] = []
      service.refuse(503, Self.fullReason).write(
        to: &answer, date: date, keepsAlive: false, isHead: false, isVersion11: true)
      _ = socket.sendNow(answer, from: 0)
      socket.finishWriting()
    }
    return true
  }
}
