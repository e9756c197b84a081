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
    try easy.keepCookies()
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
    try easy.set(ownCookies: cookies.isEmpty ? nil : cookies.joined(separator: "; "))
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
    let times = easy.times
    var timings = FetchTimings()
    timings.nameLookup = times.nameLookup
    timings.connect = times.connect
    timings.tls = times.tls
    timings.firstByte = times.firstByte
    timings.total = times.total
    var response = FetchResponse(
      status: receiver.headers.status, headers: receiver.headers.fields, body: receiver.body.sink.bytes,
      truncated: truncated, bodyFailure: bodyFailure, remoteAddress: receiver.remoteAddress,
      timings: timings)
    (response.version, response.isOnNewConnection) = (
      ResponseVersion(easy.httpVersion), easy.newConnections > 0
    )
    if order?.request.cookies.isEmpty == false || response.header("set-cookie") != nil {
      response.cookies = easy.cookies
    }
    return response
  }
}

extension ResponseVersion {
  fileprivate init?(_ number: Int?) {
    switch number {
    case 10: self = .http1
    case 11: self = .http11
    case 20: self = .http2
    case 30: self = .http3
    default: return nil
    }
  }
}

extension HeaderField {
  fileprivate var isCookie: Bool { isNamed("cookie") }
  fileprivate var saysWhatIsAccepted: Bool { isNamed("accept-encoding") }
}
