import Pipeline
import PipelineTesting
import Posix

/// A web whose paths tell how it answers, and that counts and remembers what it is asked.
final class CountedWeb: Sendable {
  private let asked = Lock<[FetchRequest]>([])
  private let interlude = Lock<@Sendable () async -> Void>({})
  private let roadworks = Lock(false)

  var requests: Int { asked.withLock { $0.count } }

  /// The headers of the last request.
  var lastHeaders: [HeaderField] { headers.last ?? [] }

  /// Those of all requests.
  var headers: [[HeaderField]] { asked.withLock { $0.map(\.headers) } }

  /// Does something before it says that nothing has changed.
  func before304(_ body: @escaping @Sendable () async -> Void) {
    interlude.withLock { $0 = body }
  }

  /// From now on /detour leads over another address.
  func makeOEmbedContinuation() {
    roadworks.withLock { $0 = true }
  }

  var fetching: ScriptedFetching {
    ScriptedFetching { [asked, interlude, roadworks] request in
      asked.withLock { $0.append(request) }
      let answer = Self.answer(request, isLonger: roadworks.withLock { $0 })
      if case .success(let response) = answer, response.status == 304 { await interlude.withLock { $0 }() }
      return answer
    }
  }

  private static func answer(_ request: FetchRequest, isLonger: Bool) -> Result<FetchResponse, Failure> {
    let path = "/" + request.url.split(separator: "/").dropFirst(2).joined(separator: "/")
    switch path {
    case "/gone": return .success(.page("<title>Gone</title>", status: 404))
    case "/cut":
      var page = FetchResponse.page("<title>Cut</title>")
      page.truncated = true
      return .success(page)
    case "/busy": return .success(.page("<title>Busy</title>", status: 503))
    case "/reset": return .failure(Failure(.connect, at: .connect, "fetch \(request.url): reset"))
    case "/inside": return .failure(Failure(.blockedAddress, at: .address, "fetch \(request.url): private"))
    case _ where path.hasPrefix("/varies/"):
      return .success(varying(path.dropFirst(8), request))
    case "/data": return .success(.json(#"{"a":1}"#))
    case "/huge": return .success(.json("\"\(String(repeating: "x", count: CacheRule.longestAnswer))\""))
    case _ where path.hasPrefix("/large"):
      return .success(.json("\"\(String(repeating: "x", count: 100_001))\""))
    case "/version": return version(request)
    case "/way": return .success(.redirect(to: "/version"))
    case "/detour": return .success(.redirect(to: isLonger ? "/by/way" : "/version"))
    case "/by/way": return .success(.redirect(to: "/version"))
    default: return .success(.page("<title>Page \(path)</title>"))
    }
  }

  /// A page that varies by what its path tells; behind `login/`, the way there gets a cookie, and others lead on.
  private static func varying(_ path: Substring, _ request: FetchRequest) -> FetchResponse {
    var response = FetchResponse.page("<title>Varies</title>")
    if path.hasPrefix("login/") {
      response = .redirect(to: "/varies/\(path.dropFirst(6))")
      response.cookies = ["a.test\tFALSE\t/\tFALSE\t0\ts\t1"]
    } else if path.hasPrefix("refresh/") {
      response = .page("<meta http-equiv=refresh content='0;url=/1'>")
    } else if path.hasPrefix("way/") {
      response = .redirect(to: "/1")
    }
    response.headers.append(HeaderField("Vary", path.split(separator: "/").last.map(String.init) ?? ""))
    return response
  }

  /// A page with validators.
  private static func version(_ request: FetchRequest) -> Result<FetchResponse, Failure> {
    let isSame = request.headers.contains(HeaderField("If-None-Match", "\"v1\""))
    var response = isSame ? FetchResponse(status: 304) : .page("<title>Version</title>")
    response.headers += [
      HeaderField("ETag", "\"v1\""), HeaderField("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT"),
    ]
    return .success(response)
  }
}
