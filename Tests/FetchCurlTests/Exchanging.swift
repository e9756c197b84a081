import FetchCurl
import Glibc
import Pipeline
import PipelineTesting

typealias Answer = Result<FetchResponse, Failure>

/// The time as the adapter is to see it.
func wallClock() -> Moment {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Moment(unixMilliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
}

/// Settings with which loopback may be talked to, and nothing else; a busy machine has all the time it needs.
func loopbackSettings(_ change: (inout CurlSettings) -> Void = { _ in }) -> CurlSettings {
  var settings = CurlSettings(now: wallClock) { address, _ in
    ["127.0.0.1", "::1"].contains(address) ? nil : "not loopback"
  }
  (settings.connectLimit, settings.tlsLimit, settings.firstByteLimit) = (60_000, 60_000, 60_000)
  change(&settings)
  return settings
}

func deadline(inMilliseconds milliseconds: Int64 = 60_000) -> Moment {
  wallClock().advanced(byMilliseconds: milliseconds)
}

/// One exchange with a server that runs `handler` for each connection.
func exchange(
  _ body: BodyPolicy = .page(capBytes: 1 << 20), method: FetchRequest.Method = .get,
  headers: [HeaderField] = [], deadline limit: Moment = deadline(),
  settings: CurlSettings = loopbackSettings(), with handler: @escaping RawServer.Handler
) async -> Answer {
  let server = RawServer(handler)
  let fetching = CurlFetching(settings: settings)
  defer {
    fetching.shutdown()
    server.stop()
  }
  return await fetching.fetch(
    FetchRequest(url: server.url, method: method, headers: headers, body: body, deadline: limit))
}

/// Answers the first request with these bytes, then closes.
func replying(_ bytes: [UInt8]) -> RawServer.Handler {
  { peer in
    guard peer.readRequest() != nil else { return }
    peer.send(bytes)
  }
}

func replying(_ text: String) -> RawServer.Handler {
  replying([UInt8](text.utf8))
}

/// A complete response with a length.
func page(_ body: String, status: String = "200 OK", headers: [String] = []) -> String {
  let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

func text(_ response: FetchResponse) -> String {
  String(decoding: response.body, as: UTF8.self)
}

extension Answer {
  /// What went wrong, be it with the exchange or with the body alone.
  var failure: Failure? {
    switch self {
    case .success(let response): response.bodyFailure
    case .failure(let failure): failure
    }
  }
}

/// Waits for the next thing that happens.
@discardableResult
func first<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
  for await element in stream { return element }
  return nil
}
