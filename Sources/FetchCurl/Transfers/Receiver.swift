internal import Curl
internal import Pipeline
internal import Posix

/// Follows one exchange at a time as libcurl reports it, and decides when to cut it.
final class Receiver: TransferHandler {
  /// Why this side ended the transfer.
  enum Cut {
    case enough
    case headersTooLarge
    case bodyTooLarge(cap: Int)
    case tooManyCodings(Int)
    case undecodable(BodyEnd)
    /// Other bodies hold the memory that this one needs.
    case noRoom
  }

  private let settings: CurlSettings
  private var request: FetchRequest?
  private var headerBytes = 0

  private(set) var phase = Phase.nameLookup
  /// Microseconds of the monotonic clock.
  private(set) var phaseStarted: Int64 = 0
  /// When the start of a page came last, likewise; nil before.
  private var lastPart: Int64?
  private(set) var headers = HeaderBlock()
  let body: BodyIntake
  private(set) var cut: Cut?
  private(set) var remoteAddress: String?
  /// Why it may not be had from any of its addresses so far.
  private(set) var refusal: Failure?
  /// The system's number of the error with which it refused a socket; nil when it did not.
  private(set) var socketError: Int32?
  /// Of the connection that carries the exchange; nil until it is known.
  private(set) var connection: ConnectionName?
  /// Its traffic was looked at once; most exchanges are over before the second time.
  var isWatched = false
  private var newSockets: [Int32] = []
  private let traffic: TrafficBook

  init(settings: CurlSettings, room: BodyRoom, scratch: CodingScratch, traffic: TrafficBook) {
    (self.settings, self.traffic) = (settings, traffic)
    body = BodyIntake(settings: settings, room: room, scratch: scratch)
  }

  func start(_ request: FetchRequest, room share: Int) {
    clear()
    body.start(request.body, room: share)
    self.request = request
    headerBytes = 0
    cut = nil
    remoteAddress = nil
    (refusal, socketError) = (nil, nil)
    enter(.nameLookup)
  }

  /// Lets go of what the last exchange left.
  func clear() {
    headers = HeaderBlock()
    body.clear()
    request = nil
    leaveConnection()
    newSockets.removeAll(keepingCapacity: true)
  }

  private func leaveConnection() {
    if let connection { traffic.ended(on: connection) }
    (connection, isWatched) = (nil, false)
  }

  private func enter(_ phase: Phase) {
    self.phase = phase
    phaseStarted = SystemTime.monotonicMicroseconds
    lastPart = nil
  }

  /// The limit that is passed at `now`, in milliseconds; nil while there is time.
  ///
  /// A page may begin as late as a response; once it has begun, it must not pause for longer than a rest may take.
  func passedLimit(at now: Int64) -> Int64? {
    func isPassed(_ limit: Int64, since start: Int64) -> Bool { now >= start.adding(milliseconds: limit) }
    if let lastPart, isPassed(settings.restLimit, since: lastPart) { return settings.restLimit }
    guard let limit = phase.limit(in: settings), isPassed(limit, since: phaseStarted) else { return nil }
    return limit
  }

  override func willConnect(to address: String, port: UInt16) -> Bool {
    guard !isProxied else {
      if phase == .nameLookup { enter(.connect) }
      return true
    }
    guard let request else { return false }
    if let refusal = request.refusal(of: address, port: port, by: settings) {
      // A refusal counts only when no other address of the name could be tried.
      if phase != .connect { self.refusal = refusal }
      return false
    }
    refusal = nil
    if phase != .connect { enter(.connect) }
    return true
  }

  override func willStartTLS() { enter(.tls) }

  /// libcurl says nothing of the bytes of a handshake, so the kernel is asked.
  func lookForHandshake() {
    guard phase == .tls, let activity = request?.activity else { return }
    if newSockets.contains(where: { SocketFacts.receivedBytes($0) ?? 0 > 0 }) { activity.works() }
  }

  override func opened(socket: Int32) {
    newSockets.append(socket)
    socketError = nil
  }

  override func failedToOpenSocket(_ error: Int32) { socketError = error }

  override func willSend(over connection: ConnectionName) -> Bool {
    if !isProxied {
      guard let request else { return false }
      refusal = request.refusal(of: connection.address, port: connection.port, by: settings)
      guard refusal == nil else { return false }
      remoteAddress = connection.address
    }
    leaveConnection()
    self.connection = connection
    traffic.began(on: connection, opened: newSockets)
    newSockets.removeAll(keepingCapacity: true)
    request?.activity?.waits()
    enter(.firstByte)
    return true
  }

  override func received(headerLine: Span<UInt8>) -> Bool {
    headerBytes += headerLine.count
    guard headerBytes <= settings.headerCapBytes else {
      cut = .headersTooLarge
      return false
    }
    if phase == .firstByte {
      request?.activity?.works()
      enter(.headers)
    }
    guard headers.add(headerLine) else { return true }
    return goesOn(hasBody ? body.begin(after: headers) : .enters(.rest))
  }

  override func received(body part: Span<UInt8>) -> Bool {
    if phase == .startOfPage { lastPart = SystemTime.monotonicMicroseconds }
    return goesOn(body.add(part))
  }

  /// The address is then the proxy's, which the user named.
  private var isProxied: Bool { settings.proxy != nil }

  private func goesOn(_ step: BodyIntake.Step) -> Bool {
    switch step {
    case .more: return true
    case .enters(let phase):
      enter(phase)
      return true
    case .cut(let cut):
      self.cut = cut
      return false
    }
  }

  private var hasBody: Bool {
    request?.method != .head && headers.status != 204 && headers.status != 304
  }
}

extension Array {
  /// Takes out the elements that meet the condition, in their order.
  ///
  /// Asks each element once: the answer may change between two calls, and an element that only the second one matched
  /// would be removed without being returned.
  mutating func take(where condition: (Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    removeAll { element in
      guard condition(element) else { return false }
      taken.append(element)
      return true
    }
    return taken
  }
}
