internal import Curl
internal import Links
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
    /// Other bodies hold the memory that this one needs.
    case noRoom
  }

  private let settings: CurlSettings
  private let room: BodyRoom
  /// What of the room is this body's.
  private var share = 0
  /// It was there from the start, because the body had no room the first time.
  private var isShareSetAside = false
  /// Each coding can make a thousand bytes of one, all before the first decoded byte shows itself to a cap.
  private static let mostCodings = 2
  private var wish = BodyWish.nothing
  private var method = FetchRequest.Method.get
  private var headerBytes = 0

  private(set) var phase = Phase.nameLookup
  /// Microseconds of the monotonic clock.
  private(set) var phaseStarted: Int64 = 0
  /// When the start of a page came last, likewise; nil before.
  private var lastPart: Int64?
  private(set) var headers = HeaderBlock()
  private(set) var sink = BodySink()
  private(set) var cut: Cut?
  private(set) var remoteAddress: String?
  private(set) var refusal: Refusal?

  init(settings: CurlSettings, room: BodyRoom) {
    self.settings = settings
    self.room = room
  }

  func start(_ request: FetchRequest, room share: Int) {
    clear()
    room.setAside(share)
    self.share = share
    isShareSetAside = share > 0
    wish = request.body
    method = request.method
    headerBytes = 0
    cut = nil
    remoteAddress = nil
    refusal = nil
    enter(.nameLookup)
  }

  /// Lets go of what the last exchange left.
  func clear() {
    headers = HeaderBlock()
    sink = BodySink()
    room.giveBack(share)
    share = 0
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

  func willConnect(to address: String) -> Bool {
    guard !isProxied else {
      if phase == .nameLookup { enter(.connect) }
      return true
    }
    if let reason = settings.refusal(address) {
      // A refusal counts only when no other address of the name could be tried.
      if phase != .connect { refusal = Refusal(address: address, reason: reason) }
      return false
    }
    refusal = nil
    if phase != .connect { enter(.connect) }
    return true
  }

  func willStartTLS() {
    enter(.tls)
  }

  func willSend(to address: String) -> Bool {
    guard !isProxied else {
      enter(.firstByte)
      return true
    }
    if let reason = settings.refusal(address) {
      refusal = Refusal(address: address, reason: reason)
      return false
    }
    remoteAddress = address
    enter(.firstByte)
    return true
  }

  func received(headerLine: Span<UInt8>) -> Bool {
    headerBytes += headerLine.count
    guard headerBytes <= settings.headerCapBytes else {
      cut = .headersTooLarge
      return false
    }
    if phase == .firstByte { enter(.headers) }
    switch headers.add(headerLine) {
    case .more: return true
    case .complete: return startBody()
    }
  }

  func received(body: Span<UInt8>, wireBytes: Int64) -> Bool {
    if phase == .startOfPage { lastPart = SystemTime.monotonicMicroseconds }
    switch sink.add(body, wireBytes: wireBytes) {
    case .more:
      if hasRoom { return true }
      cut = .noRoom
    case .dropRest:
      enter(.rest)
      return true
    case .cutShort:
      cut = .enough
    case .tooLarge(let cap):
      cut = .bodyTooLarge(cap: cap)
    }
    return false
  }

  /// What arrays keep ready beyond their last byte is memory too.
  private var hasRoom: Bool {
    let more = sink.bytes.capacity - BodyMemory.freeBytes - share
    guard sink.bytes.count > BodyMemory.freeBytes, more > 0, share < largestShare else { return true }
    guard room.take(more) else { return false }
    share += more
    return true
  }

  private var largestShare: Int {
    switch wish {
    case .nothing: 0
    case .startOfPage(let cap), .page(let cap), .whole(let cap): room.share(of: cap)
    }
  }

  /// What has to be set aside so that the body fits: what its length tells, unless that was not so once.
  var wholeShare: Int {
    guard !isShareSetAside, case .whole = wish, headers.codings == 0,
      let length = headers.contentLength
    else { return largestShare }
    return min(room.share(of: Int(clamping: length)), largestShare)
  }

  /// Bytes to make ready for a body: no more than it can need, and all that is set aside for it.
  private func expected(_ length: Int64?, upTo cap: Int) -> Int {
    if isShareSetAside { return min(share + BodyMemory.freeBytes, cap) }
    return min(Int(clamping: length ?? 0), cap, 2 * BodyMemory.freeBytes)
  }

  /// The address is then the proxy's, which somebody has named.
  private var isProxied: Bool { settings.proxy != nil }

  private func startBody() -> Bool {
    guard hasBody else {
      enter(.rest)
      return true
    }
    let wish = RedirectChain.isRedirect(headers.status) ? .nothing : wish
    guard headers.codings <= Self.mostCodings else {
      switch wish {
      case .nothing, .startOfPage: cut = .enough
      case .page, .whole: cut = .tooManyCodings(headers.codings)
      }
      return false
    }
    let length = headers.contentLength
    switch wish {
    case .nothing: return skipBody(length)
    case .startOfPage(let cap):
      guard headers.mayBePage else { return skipBody(length) }
      enter(.startOfPage)
      sink = BodySink(
        plan: .start(cap: cap), length: length, settings: settings, expecting: expected(length, upTo: cap))
      return true
    case .page(let cap):
      enter(.body)
      sink = BodySink(
        plan: .page(cap: cap), length: length, settings: settings, expecting: expected(length, upTo: cap))
      return true
    case .whole(let cap):
      enter(.body)
      sink = BodySink(
        plan: .whole(cap: cap), length: length, settings: settings, expecting: expected(length, upTo: cap))
      let largest = headers.codings > 0 ? settings.wireBodyCapBytes : min(cap, settings.wireBodyCapBytes)
      guard let length, length > largest else { return true }
      cut = .bodyTooLarge(cap: largest)
    }
    return false
  }

  private func skipBody(_ length: Int64?) -> Bool {
    enter(.rest)
    sink = BodySink(plan: .drop(upTo: settings.smallRestBytes), length: length, settings: settings)
    guard let length, length > settings.smallRestBytes else { return true }
    cut = .enough
    return false
  }

  private var hasBody: Bool {
    switch method {
    case .get: headers.status != 204 && headers.status != 304
    case .head: false
    }
  }
}
