import HTTPMessages
import Pipeline
import Posix

/// Serves all connections of a server on one thread, which alone owns their descriptors.
final class ServerLoop {
  static let bellID: UInt64 = 0
  /// Connections have odd ids, which are never used again: a late message is for no one.
  static func listenerID(_ index: Int) -> UInt64 { UInt64(index + 1) * 2 }

  let limits: ServerLimits
  let service: Service
  let poller: Poller
  let mailbox: Mailbox
  private(set) var now: Milliseconds = 0
  /// As `Date` has it.
  private(set) var date: [UInt8] = []

  var listeners: [Listener] = []
  /// Holds a descriptor for when the process runs out of them. Without it, a connection that cannot be accepted would stay
  /// in the queue and wake the loop again and again. No file, because a thread that is confined opens none.
  var spare = try? Bell()
  var connections = ConnectionTable()
  var lastID: UInt64 = 1
  /// No connection is accepted before then, because no descriptor is free.
  private var acceptsAgain: Milliseconds?
  private var dateSecond: Int64 = -1
  /// When deadlines are checked next: not later than the first of them.
  private var nextLook = Milliseconds.max
  /// When what is still under way is cut.
  private var end: Milliseconds?
  /// Those of requests that have not ended.
  private var tasks = 0

  /// Deadlines are met with this precision, so that thousands of them cost nothing.
  private static let precision: Milliseconds = 100
  private static let longestEnding: Milliseconds = 86_400_000

  init(_ limits: ServerLimits, _ service: Service, poller: Poller, mailbox: Mailbox) {
    (self.limits, self.service, self.poller, self.mailbox) = (limits, service, poller, mailbox)
  }

  var isEnding: Bool { end != nil }

  /// Returns when all has ended, and all descriptors are closed.
  func run() {
    readClocks()
    while !isEnding || !connections.byID.isEmpty || tasks > 0 { turn() }
  }

  func taskBegan() { tasks += 1 }

  func taskEnded() { tasks -= 1 }

  private func turn() {
    let events = poller.wait(milliseconds: patience)
    readClocks()
    for event in events {
      if event.id == Self.bellID {
        for order in mailbox.take() { order(self) }
      } else if event.id & 1 == 0 {
        acceptAll(from: Int(event.id / 2) - 1)
      } else {
        tell(event.id) { $0.isReady(for: event.readiness) }
      }
    }
    if now >= min(nextLook, end ?? .max) { lookAtDeadlines() }
    if let acceptsAgain, now >= acceptsAgain { watchListeners(true) }
  }

  /// How long to wait for the next event.
  private var patience: Int32 {
    let next = min(nextLook, connections.byID.isEmpty ? .max : end ?? .max, acceptsAgain ?? .max)
    return next == .max ? -1 : Int32(clamping: max(0, next - now))
  }

  private func readClocks() {
    now = SystemTime.monotonicMicroseconds / 1_000
    let second = SystemTime.unixMilliseconds / 1_000
    guard second != dateSecond else { return }
    dateSecond = second
    date = Array(HTTPDate.text(of: Moment(unixMilliseconds: second * 1_000)).utf8)
  }

  func tell(_ id: UInt64, _ what: (Connection) -> Void) {
    guard let connection = connections.byID[id] else { return }
    what(connection)
    settle(connection)
  }

  /// After each event of a connection.
  func settle(_ connection: Connection) {
    if !connection.isClosed { connection.watch() }
    guard !connection.isClosed else { return connections.remove(connection) }
    if let deadline = connection.deadline { nextLook = min(nextLook, deadline) }
  }

  private func lookAtDeadlines() {
    nextLook = .max
    let isOver = end.map { now >= $0 } ?? false
    for connection in connections.byID.values {
      if isOver { connection.close() } else { connection.timeIsUp() }
      settle(connection)
    }
    nextLook = max(nextLook, now + Self.precision)
  }

  private func watchListeners(_ isWatched: Bool) {
    acceptsAgain = nil
    for (index, listener) in listeners.enumerated() {
      try? poller.change(listener, id: Self.listenerID(index), to: isWatched ? .reading : [])
    }
  }

  func finish(within time: Milliseconds) {
    end = min(end ?? .max, now + min(time, Self.longestEnding))
    // Others may hold them too, so dropping them may not close them.
    watchListeners(false)
    listeners = []
    for connection in connections.byID.values {
      connection.finish()
      settle(connection)
    }
  }
}

/// How connections come.
extension ServerLoop {
  /// In one turn, so that the present clients do not wait for long.
  private static let mostAccepted = 64
  /// Connections beyond the limit that may be open to be told so.
  private static let mostTurnedAway = 64

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

  private func admit(_ socket: StreamSocket, mayStay: Bool = true) throws(PosixError) {
    let peer = socket.peer
    let client = Client(host: peer?.host, network: peer?.network ?? [])
    let isCounted = client.host.map { !limits.isTrusted($0) } ?? false
    let isRefused = !mayStay || isCounted && connections.count(of: client) >= limits.connectionsOfAddress
    let isFull = !isRefused && connections.byID.count >= limits.connections && !shedOne()
    guard connections.byID.count < limits.connections + Self.mostTurnedAway else { return }
    lastID += 2
    let connection = try Connection(socket, id: lastID, client: client, loop: self)
    connections.add(connection)
    if isRefused || isFull { connection.turnAway(503, "too many connections") }
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
    let socket = try? listener.acceptNow()
    if let socket { try? admit(socket, mayStay: shedOne()) }
    spare = try? Bell()
    // Nothing gave way, or another part of the process was faster.
    if spare == nil {
      watchListeners(false)
      acceptsAgain = now + Self.precision
    }
    return socket != nil && spare != nil
  }
}

/// What tasks want done on the loop's thread. One ring of the bell announces all that comes before the thread looks.
final class Mailbox: Sendable {
  typealias Order = @Sendable (ServerLoop) -> Void

  let bell: Bell
  /// Whether the thread has ended, after which nothing more is done.
  let isOver = Promise<Void>()
  private let orders = Lock<[Order]>([])

  init() throws(PosixError) {
    bell = try Bell()
  }

  func put(_ order: @escaping Order) {
    let isFirst = orders.withLock { orders in
      orders.append(order)
      return orders.count == 1
    }
    if isFirst { bell.ring() }
  }

  /// After the bell.
  func take() -> [Order] {
    bell.silence()
    return orders.withLock { exchange(&$0, with: []) }
  }
}
