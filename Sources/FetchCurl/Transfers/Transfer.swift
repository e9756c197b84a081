internal import Curl
internal import Pipeline

/// A pooled handle of libcurl and the exchange that it carries.
final class Transfer {
  let tag: Int
  let settings: CurlSettings
  let receiver: Receiver
  private(set) var easy: EasyHandle
  private(set) var order: FetchOrder?

  init(
    tag: Int, settings: CurlSettings, room: BodyRoom, scratch: CodingScratch, traffic: TrafficBook
  ) throws(CurlError) {
    self.tag = tag
    self.settings = settings
    receiver = Receiver(settings: settings, room: room, scratch: scratch, traffic: traffic)
    easy = try EasyHandle.open(reportingTo: receiver)
    try applyFixedOptions()
  }

  private func applyFixedOptions() throws(CurlError) {
    try easy.set(.protocols, to: "http,https")
    try applyProxy()
    try easy.set(.userAgent, to: settings.userAgent)
    try easy.set(.contentDecoding, to: 0)
    // Lets responses set cookies.
    try easy.set(.cookieFile, to: "")
    try easy.set(.followRedirects, to: 0)
    try easy.set(.disallowCredentialsInURL, to: 1)
    try easy.set(.pathAsIs, to: 1)
    try easy.set(.bufferBytes, to: 64 << 10)
    try easy.set(.noSignals, to: 1)
    try easy.set(.tcpNoDelay, to: 1)
    try easy.set(.tcpKeepAlive, to: 1)
    // Without it, giving a transfer up would wait for its name lookup, and every other transfer with it.
    try easy.set(.quickExit, to: 1)
    // The phases' limits are kept by the loop; libcurl's own divides its time between the addresses of a name.
    let connecting = settings.nameLookupLimit + settings.connectLimit + settings.tlsLimit
    try easy.set(.connectLimitMilliseconds, to: Int(clamping: connecting))
    try easy.set(.httpVersion, to: settings.usesHTTP2 ? HTTPVersion.http2OverTLS : HTTPVersion.onlyHTTP1)
    try easy.set(.verifyPeer, to: settings.verifiesTLS ? 1 : 0)
    try easy.set(.verifyHost, to: settings.verifiesTLS ? 2 : 0)
    try easy.set(.tlsVersion, to: TLSVersion.atLeast12)
    try easy.trustAuthorities(in: settings.caFile)
  }

  /// Never one from the environment.
  private func applyProxy() throws(CurlError) {
    try easy.set(.proxy, to: settings.proxy ?? "")
    try easy.set(.noProxy, to: settings.proxy == nil ? "*" : "")
    try easy.set(.suppressProxyHeaders, to: 1)
  }

  /// Makes the handle ready for an exchange.
  func take(_ order: FetchOrder) throws(CurlError) {
    self.order = order
    receiver.start(order.request, room: order.room)
    try easy.set(.url, to: order.request.url)
    switch order.request.method {
    case .get: try easy.set(.httpGet, to: 1)
    case .head: try easy.set(.noBody, to: 1)
    }
    // Whatever the last exchange left there belongs to another job.
    try easy.setCookies(order.request.cookies)
    try setHeaders(order.request.headers)
  }

  /// A Cookie header joins the cookies that the engine has for the request: there must be one such line only.
  private func setHeaders(_ headers: [HeaderField]) throws(CurlError) {
    let cookies = headers.filter(\.isCookie).map(\.value)
    try easy.set(.ownCookies, to: cookies.isEmpty ? nil : cookies.joined(separator: "; "))
    var list = HeaderList()
    // Not as libcurl's own: then it would count a body's codings too, and refuse the response, whatever its body is for.
    if !headers.contains(where: \.saysWhatIsAccepted) {
      try list.append(name: "Accept-Encoding", value: ContentCoding.accepted)
    }
    for header in headers where !header.isCookie {
      try list.append(name: header.name, value: header.value)
    }
    try easy.set(headers: list)
  }

  /// Gives the exchange back; the handle is free again.
  func release() -> FetchOrder? {
    receiver.clear()
    return order.take()
  }

  func ending(_ code: CurlCode, of order: FetchOrder) -> Ending {
    Ending(
      request: order.request, proxy: settings.proxy, code: code, text: easy.failureText,
      systemError: receiver.socketError ?? easy.systemError,
      phase: receiver.phase)
  }

  /// What the receiver has collected, as an answer.
  func response(truncated: Bool, bodyFailure: Failure? = nil) -> FetchResponse {
    var timings = FetchTimings()
    timings.nameLookup = easy.microseconds(until: .nameLookup)
    timings.connect = easy.microseconds(until: .connect)
    timings.tls = easy.microseconds(until: .tls)
    timings.firstByte = easy.microseconds(until: .firstByte)
    timings.total = easy.microseconds(until: .total)
    var response = FetchResponse(
      status: receiver.headers.status, headers: receiver.headers.fields, body: receiver.body.sink.bytes,
      truncated: truncated, bodyFailure: bodyFailure, remoteAddress: receiver.remoteAddress,
      timings: timings)
    response.version = easy.httpVersion.flatMap(ResponseVersion.init)
    response.isOnNewConnection = easy.newConnections > 0
    if order?.request.cookies.isEmpty == false || response.header("set-cookie") != nil {
      response.cookies = easy.cookies
    }
    return response
  }
}

extension HeaderField {
  fileprivate var isCookie: Bool { isNamed("cookie") }
  fileprivate var saysWhatIsAccepted: Bool { isNamed("accept-encoding") }
}

/// What a transfer's end means: every way to end leads through here.
extension Transfer {
  enum Outcome {
    case answer(Result<FetchResponse, Failure>)
    /// No address was found; why decides about another attempt.
    case nameUnknown(Ending)
    /// The body needs so much memory, and there is less.
    case noRoom(Int)
    /// This machine had no descriptor, buffer or port left for it, which says nothing about the host.
    case shortage(Failure)
    /// All came, and the body is yet to be decoded, which takes long.
    case collected(CollectedResponse)
  }

  func ended(with code: CurlCode, order: FetchOrder) -> Outcome {
    if let cut = receiver.cut { return ended(by: cut, order: order) }
    if let refusal = receiver.refusal { return .answer(.failure(refusal)) }
    if let failure = proxysRefusal(of: order) { return .answer(.failure(failure)) }
    if code == .ok {
      guard receiver.headers.isComplete else { return .answer(.failure(headerless(order))) }
      return complete(order)
    }
    let ending = ending(code, of: order)
    if let failure = ending.ownShortage { return .shortage(failure) }
    let collected = receiver.body.collected
    if let completeness = ending.completeness(hasBody: !receiver.body.sink.bytes.isEmpty || collected != nil)
    {
      let response = response(truncated: completeness == .truncated)
      return collected.map { .collected(CollectedResponse(order: order, response: response, body: $0)) }
        ?? .answer(.success(response))
    }
    if code == .unresolvedHost { return .nameUnknown(ending) }
    return .answer(answer(ending.failure))
  }

  /// The answer when a limit is passed at `now`; nil while there is time.
  func overdue(at now: Int64) -> Result<FetchResponse, Failure>? {
    guard let order else { return nil }
    let phase = receiver.phase
    let limit = receiver.passedLimit(at: now)
    guard limit != nil || now >= order.deadline else { return nil }
    // All that was needed is there. Something in a page that did not come in time may be missed.
    if phase.isForGoodMeasure { return .success(response(truncated: phase == .startOfPage)) }
    guard let limit else {
      return answer(order.timeout(at: phase.stage, phase.activity, now: now))
    }
    return answer(order.timeout(at: phase.stage, phase.activity, milliseconds: limit))
  }

  private func ended(by cut: Receiver.Cut, order: FetchOrder) -> Outcome {
    switch cut {
    case .noRoom: return .noRoom(receiver.body.wholeShare)
    case .enough: return complete(order)
    case .headersTooLarge:
      let cause = "the headers are larger than \(settings.headerCapBytes) bytes"
      return .answer(answer(order.request.failure(.headerTooLarge, at: .headers, cause)))
    case .bodyTooLarge(let cap): return .answer(answer(order.tooLarge(cap: cap)))
    case .tooManyCodings(let count):
      let cause = "the body is encoded \(count) times over; twice is the most that is undone"
      return .answer(answer(order.request.failure(.protocolError, at: .body, cause)))
    case .undecodable(let end): return .answer(.success(order.complete(response(truncated: false), end)))
    }
  }

  /// All came that was wanted.
  private func complete(_ order: FetchOrder) -> Outcome {
    let isCut = receiver.body.sink.isTruncated
    if let body = receiver.body.collected {
      let response = capped(response(truncated: isCut))
      return .collected(CollectedResponse(order: order, response: response, body: body))
    }
    guard !receiver.phase.isForGoodMeasure, !isCut else {
      return .answer(.success(capped(response(truncated: isCut))))
    }
    let end = receiver.body.finish()
    return .answer(.success(order.complete(response(truncated: false), end)))
  }

  private func capped(_ response: FetchResponse) -> FetchResponse {
    var response = response
    response.isCapped = response.truncated
    return response
  }

  /// A failure of the body leaves the head of the response standing.
  private func answer(_ failure: Failure) -> Result<FetchResponse, Failure> {
    guard receiver.headers.isComplete else { return .failure(failure) }
    // All that was needed is there.
    guard !receiver.phase.isForGoodMeasure else { return .success(response(truncated: false)) }
    return .success(response(truncated: true, bodyFailure: failure))
  }

  /// libcurl takes a header that is cut off for a whole response.
  private func headerless(_ order: FetchOrder) -> Failure {
    order.request.failure(
      .protocolError, at: .headers, "the peer closed in the middle of the headers", retryable: true)
  }

  /// The answer of an exchange whose connection received more than it may, with what there is of it.
  func flooded(_ order: FetchOrder) -> Result<FetchResponse, Failure> {
    let cap = settings.trafficCapBytes
    guard receiver.headers.isComplete else {
      let cause = "the server sent more than \(cap) bytes, and its headers were not over"
      return .failure(order.request.failure(.headerTooLarge, at: receiver.phase.stage, cause))
    }
    if case .page = order.request.body, !receiver.body.sink.bytes.isEmpty {
      return .success(response(truncated: true))
    }
    let cause = "the server sent more than \(cap) bytes that are mostly none of the body"
    return answer(order.request.failure(.protocolError, at: .body, cause))
  }

  /// What a proxy without the right password answers in the server's place; nil when it does not.
  private func proxysRefusal(of order: FetchOrder) -> Failure? {
    guard settings.proxy != nil, receiver.headers.isComplete, receiver.headers.status == 407 else {
      return nil
    }
    return order.request.proxyWantsPassword
  }
}

/// How far an exchange has come, each phase with a limit of its own.
enum Phase: Sendable {
  case nameLookup
  case connect
  case tls
  case firstByte
  case headers
  case body
  /// A page whose first bytes are welcome and not needed.
  case startOfPage
  /// Nothing more is wanted; a small rest is read so that the connection can be used again.
  case rest

  private var row: (stage: Stage, activity: String, isForGoodMeasure: Bool) {
    switch self {
    case .nameLookup: (.dns, "looking up the name", false)
    case .connect: (.connect, "connecting", false)
    case .tls: (.tls, "in the TLS handshake", false)
    case .firstByte: (.firstByte, "waiting for the first byte", false)
    case .headers: (.headers, "reading the headers", false)
    case .body: (.body, "reading the body", false)
    case .startOfPage, .rest: (.body, "reading the body", true)
    }
  }

  var stage: Stage { row.stage }

  /// What is being done, for `timed out after 10 s …`.
  var activity: String { row.activity }

  /// Whether the answer stands without what is yet to come.
  var isForGoodMeasure: Bool { row.isForGoodMeasure }

  /// Milliseconds; nil where only the deadline counts.
  func limit(in settings: CurlSettings) -> Int64? {
    switch self {
    case .nameLookup: settings.nameLookupLimit
    case .connect: settings.connectLimit
    case .tls: settings.tlsLimit
    case .firstByte, .startOfPage: settings.firstByteLimit
    case .headers, .body: nil
    case .rest: settings.restLimit
    }
  }
}

/// `150 ms`, `2.5 s`, `10 s`.
func shownDuration(milliseconds: Int64) -> String {
  guard milliseconds >= 1_000 else { return "\(max(milliseconds, 0)) ms" }
  let tenths = milliseconds / 100 % 10
  return tenths == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds / 1_000).\(tenths) s"
}
