import HTTPMessages
import Posix

/// One client's connection. The loop's thread alone touches it.
final class Connection {
  let id: UInt64
  let client: Client
  private(set) var rule: ConnectionRule
  private(set) var isClosed = false
  /// The request whose response a task makes, from its head on.
  private var exchange: ResponseStream?
  private var task: Task<Void, Never>?
  /// The request whose answer comes later.
  private var awaited: Awaited?
  private var awaitedUntilNow: UInt64 = 0
  private let socket: StreamSocket
  private unowned let loop: ServerLoop
  private var parser = RequestParser()
  /// What waits for the client, behind what has been sent.
  private var output: [UInt8] = []
  private var sent = 0
  private var watched: Poller.Readiness = []
  /// The answer in `output` is the last.
  private var isLast = false

  private struct Awaited {
    let head: RequestHead
    let number: UInt64
    let deadline: Milliseconds
    let waiting: Waiting
  }

  private static let mostRead = 16 << 10
  /// With more unsent, the next request has to wait.
  private static let mostUnsent = 64 << 10
  /// So much memory is kept, so that the next answer needs no new one.
  private static let mostKept = 8 << 10

  init(_ socket: StreamSocket, id: UInt64, client: Client, loop: ServerLoop) throws(PosixError) {
    (self.socket, self.id, self.client, self.loop) = (socket, id, client, loop)
    rule = ConnectionRule(loop.limits.connection, at: loop.now)
    watched = .reading
    try loop.poller.add(socket, id: id, for: watched)
  }

  func isReady(for readiness: Poller.Readiness) {
    let hasLeft =
      readiness.contains(.broken) || !readiness.isDisjoint(with: watched.intersection(.peerFinished))
    if hasLeft { return close() }
    switch rule.phase {
    case .idle, .head, .body, .lingering: receive()
    case .answering: proceed()
    case .working: break
    }
  }

  /// When something must have happened.
  var deadline: Milliseconds? { awaited.map { min($0.deadline, rule.deadline ?? .max) } ?? rule.deadline }

  func timeIsUp() {
    if let awaited, loop.now >= awaited.deadline { answerCame(awaited.number, awaited.waiting.late) }
    guard rule.isLate(at: loop.now) else { return }
    switch rule.phase {
    case .head, .body: turnAway(408, "the request took too long")
    case .idle, .working, .answering, .lingering: close()
    }
  }

  /// Answers with an error, and ends the connection.
  func turnAway(_ status: Int, _ reason: String) {
    refuse(status, reason)
    send()
  }

  /// No further request is wanted. One that has begun is answered.
  func finish() {
    if rule.phase == .idle, output.isEmpty, !parser.hasInput { linger() }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    task?.cancel()
    awaited?.waiting.left()
    (exchange, task, awaited) = (nil, nil, nil)
  }

  private func receive() {
    switch socket.receiveNow(limit: Self.mostRead) {
    case .nothing: break
    case .end: close()
    case .bytes(let bytes) where rule.phase == .lingering:
      if rule.dropped(bytes.count) { close() }
    case .bytes(let bytes):
      if rule.phase == .body { rule.moved(bytes.count) }
      parser.receive(bytes)
      proceed()
    }
  }

  /// Reads and answers requests until more bytes are needed, a task is at work, or the client is slow.
  private func proceed() {
    repeat {
      while mayRead, output.count - sent < Self.mostUnsent, readNext() {}
      send()
    } while mayRead && parser.hasInput
  }

  private var mayRead: Bool {
    guard !isClosed, !isLast else { return false }
    return switch rule.phase {
    case .idle, .head, .body: true
    case .working, .answering, .lingering: false
    }
  }

  /// False when more has to come.
  private func readNext() -> Bool {
    if rule.phase == .idle {
      guard parser.hasInput else { return false }
      rule.requestBegan(at: loop.now)
    }
    switch parser.next() {
    case .needMore: return false
    case .head(let head): react(to: head)
    case .expectation: output += continueLine
    case .body(let body): start(with: body)
    case .refuse(let refusal): refuse(refusal.status, refusal.reason)
    }
    return true
  }

  private func react(to head: RequestHead) {
    rule.headCame(at: loop.now)
    switch loop.service.react(head, client) {
    // A body is not read, so the next request could not be found.
    case .answer(let answer): give(answer, to: head, isLast: head.hasBody)
    case .later(let time, let begin):
      awaitedUntilNow += 1
      let waiting = begin { [id, number = awaitedUntilNow, mailbox = loop.mailbox] answer in
        mailbox.put { $0.tell(id) { $0.answerCame(number, answer) } }
      }
      awaited = Awaited(
        head: head, number: awaitedUntilNow, deadline: loop.now + time, waiting: waiting)
      rule.workBegan(at: loop.now)
    case .task(let bodyLimit, let work):
      exchange = ResponseStream(to: head, work, id: id, mailbox: loop.mailbox)
      parser.bodyLimit = bodyLimit
      if !head.hasBody { start(with: []) }
    }
  }

  /// What a request waited for, unless it had another answer.
  private func answerCame(_ number: UInt64, _ answer: () -> Response) {
    guard let awaited, awaited.number == number else { return }
    self.awaited = nil
    give(answer(), to: awaited.head, isLast: awaited.head.hasBody)
    proceed()
  }

  /// The request is whole. Its response is made away from the loop's thread.
  private func start(with body: [UInt8]) {
    guard let exchange else { return }
    rule.workBegan(at: loop.now)
    task = Task { await exchange.run(with: body) }
    loop.taskBegan()
  }

  private func refuse(_ status: Int, _ reason: String) {
    var answer = loop.service.refuse(status, reason)
    if status == 503 { answer.head.add("Retry-After", "1") }
    give(answer, to: exchange?.head, isLast: true)
  }

  private func give(_ answer: Response, to head: RequestHead?, isLast: Bool = false) {
    let keepsAlive = !isLast && mayGoOn(after: head)
    answer.write(
      to: &output, date: loop.date, keepsAlive: keepsAlive, isHead: head?.method == .head,
      isVersion11: head?.isVersion11 ?? true)
    endAnswer(keepsAlive: keepsAlive)
  }

  private func endAnswer(keepsAlive: Bool) {
    (exchange, task) = (nil, nil)
    isLast = !keepsAlive
    rule.answerEnded(at: loop.now)
  }

  private func mayGoOn(after head: RequestHead?) -> Bool {
    head?.keepsAlive == true && rule.mayGoOn(at: loop.now) && !loop.isEnding
  }

  /// The task of the request has ended.
  func taskGave(_ answer: Response) {
    guard let exchange else { return }
    give(answer, to: exchange.head)
    proceed()
  }

  func streamBegan(_ head: ResponseHead) {
    guard let exchange else { return }
    isLast = !exchange.head.isVersion11 || !mayGoOn(after: exchange.head)
    head.write(
      to: &output, length: nil, date: loop.date, keepsAlive: !isLast, isVersion11: exchange.head.isVersion11)
    send()
  }

  func streamGave(_ bytes: [UInt8]) {
    guard exchange != nil else { return }
    output += bytes
    send()
  }

  /// - Parameter bytes: The last ones; nil when the stream failed.
  func streamEnded(_ bytes: [UInt8]?) {
    guard exchange != nil else { return }
    guard let bytes else {
      socket.resetOnClose()
      return close()
    }
    output += bytes
    endAnswer(keepsAlive: !isLast)
    proceed()
  }

  private func send() {
    guard !isClosed else { return }
    if sent < output.count {
      guard let count = socket.sendNow(output, from: sent) else { return close() }
      sent += count
      rule.moved(count)
      exchange?.clientTook(count)
    }
    let isBehind = sent < output.count
    if sent > output.count / 2 {
      output.removeFirst(sent)
      if !isBehind, output.capacity > Self.mostKept { output = [] }
      sent = 0
    }
    if isBehind { return rule.clientIsSlow(at: loop.now) }
    rule.clientTookAll(at: loop.now)
    if rule.phase == .idle, isLast || loop.isEnding && !parser.hasInput { linger() }
  }

  /// Closing at once would turn the response into a reset if the client has sent more than was read.
  private func linger() {
    isLast = true
    socket.finishWriting()
    rule.lingeringBegan(at: loop.now)
  }

  /// Sets what the poller watches for. While a request is being answered, further bytes stay in the system's buffer.
  func watch() {
    let wanted: Poller.Readiness =
      switch rule.phase {
      case .idle, .head, .body, .lingering: .reading
      case .working: .peerFinished
      case .answering: exchange == nil && awaited == nil ? .writing : [.writing, .peerFinished]
      }
    guard wanted != watched else { return }
    watched = wanted
    do { try loop.poller.change(socket, id: id, to: wanted) } catch { close() }
  }
}

/// The connections of a server, and how many each address has.
struct ConnectionTable {
  private(set) var byID: [UInt64: Connection] = [:]
  private var ofNetwork: [[UInt64]: Int] = [:]

  func count(of client: Client) -> Int { ofNetwork[client.network] ?? 0 }

  mutating func add(_ connection: Connection) {
    byID[connection.id] = connection
    ofNetwork[connection.client.network, default: 0] += 1
  }

  mutating func remove(_ connection: Connection) {
    guard byID.removeValue(forKey: connection.id) != nil else { return }
    let left = count(of: connection.client) - 1
    ofNetwork[connection.client.network] = left > 0 ? left : nil
  }

  /// The connection that gives way to a new one; of several that are equally slow, the one that has been so for longest.
  func slowest(at now: Milliseconds) -> Connection? {
    var slowest: (slowness: Double, connection: Connection)?
    for connection in byID.values {
      guard let slowness = connection.rule.slowness(at: now) else { continue }
      if let known = slowest {
        let isOlder =
          (connection.rule.since, connection.id) < (known.connection.rule.since, known.connection.id)
        guard slowness > known.slowness || slowness == known.slowness && isOlder else { continue }
      }
      slowest = (slowness, connection)
    }
    return slowest?.connection
  }
}
