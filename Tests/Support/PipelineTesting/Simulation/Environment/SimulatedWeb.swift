import Pipeline
import Posix

/// What a link of the simulation leads to; it stands in the link itself.
enum SimulatedLink: String, CaseIterable, Sendable {
  case page
  case slow
  /// Leads on to a page.
  case moved
  /// Leads on to a page of another host.
  case abroad
  /// A page that leads on to one that leads on to a page of another host.
  case turning
  case turned
  /// The oEmbed endpoint of a page that others turn to.
  case embed
  /// Fails twice, then it is a page.
  case flaky
  /// Asks for peace once.
  case busy
  /// Never answers in time, nor does any attempt.
  case down
  case missing
  case data
  /// Tells a run what to call next, and where the next page of that is.
  case list
  /// Tells a run how many pages of that there are.
  case counted
  /// Leads on to an address of many bytes, where there is nothing.
  case long
  /// A page whose headers say as much as they may.
  case noted
  /// A link whose job takes more bytes than any may.
  case bulky
  /// One whose job takes as many as it may.
  case brim
  /// What a run asks for.
  case value
  /// The same, and slow.
  case lasting
  /// Fails twice, then it is a value.
  case wobbly
  /// A run asks for it, and it is not there.
  case absent
  /// Its fetcher dies.
  case poison
  /// Its decoder dies.
  case venom

  func url(_ number: Int, host: Int) -> String { "http://h\(host).test/\(rawValue)/\(number)" }

  /// The page that a link leads on to: of the next host.
  static func target(of url: String) -> String {
    let parts = url.split(separator: "/")
    let host = Int(parts[1].dropFirst().prefix { $0 != "." }) ?? 0
    return SimulatedLink.page.url(Int(parts[3]) ?? 0, host: (host + 1) % hosts)
  }

  static let hosts = 6

  /// Where the pages of a link that turns lead in the end.
  static func end(of url: String?) -> String? {
    url?.replacing("turning", with: "page").replacing("http://h", with: "http://g")
  }

  /// The oEmbed endpoint of such a page, of one more host.
  static func endpoint(of page: String) -> String {
    page.replacing("/page/", with: "/embed/").replacing("http://g", with: "http://e")
  }

  init?(url: String) {
    let parts = url.split(separator: "/")
    guard parts.count > 2 else { return nil }
    self.init(rawValue: String(parts[2]))
  }
}

/// The network outside: answers take virtual time, and every request is counted.
final class SimulatedWeb: Sendable {
  private let calls = Lock<[String: Int]>([:])
  let load = SimulatedLoad()
  let chance: SimulatedChance
  let trace: SimulatedTrace

  init(chance: SimulatedChance, trace: SimulatedTrace) {
    self.chance = chance
    self.trace = trace
  }

  /// How often a link was asked for.
  func requests(for url: String) -> Int { calls.withLock { $0[url, default: 0] } }

  fileprivate func count(_ url: String) -> Int {
    calls.withLock { calls in
      calls[url, default: 0] += 1
      return calls[url, default: 0]
    }
  }
}

/// The network as one fetcher sees it.
struct SimulatedFetching: Fetching {
  let web: SimulatedWeb
  let process: SimulatedProcess

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    let broken = Failure(.cancelled, at: .connect, "fetch \(request.url): cancelled")
    let call = web.count(request.url)
    web.trace.record("fetch", "\(process.name) \(request.url)", Int64(call))
    guard let link = SimulatedLink(url: request.url) else {
      return .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
    }
    web.load.began(request.url, by: process)
    defer { web.load.ended(request.url, by: process) }
    let clock = SimulatedClock(process: process)
    let end = clock.now.advanced(byMilliseconds: web.chance.within(time(for: link)))
    do {
      try await clock.sleep(until: min(end, request.deadline))
    } catch {
      return .failure(broken)
    }
    guard end <= request.deadline else {
      return .failure(Failure(.timeout, at: .firstByte, "fetch \(request.url): too late"))
    }
    if link == .poison {
      web.trace.record("killed by what it fetched", process.name)
      process.kill()
      return .failure(broken)
    }
    return answer(link, to: request.url, call: call)
  }

  private static func noted(_ html: String) -> FetchResponse { saying(.page(html)) }

  /// With every header that a row or a recipe reads, as long as is allowed.
  private static func saying(_ response: FetchResponse) -> FetchResponse {
    var response = response
    let text = String(repeating: "x", count: ResponseNote.mostBytes - 40)
    response.headers += [
      HeaderField("Content-Disposition", "inline; filename=\(text)"), HeaderField("Content-Language", text),
    ]
    for number in 0..<ResponseNote.mostLinks {
      response.headers.append(HeaderField("Link", "</\(number)\(text)>; rel=preload"))
    }
    return response
  }

  private func turn(to url: String) -> String {
    "<title>not yet</title><meta http-equiv=refresh content='0;\(url)'>"
  }

  private func time(for link: SimulatedLink) -> ClosedRange<Int64> {
    link == .slow || link == .lasting ? 2_000...12_000 : 1...800
  }

  private func answer(
    _ link: SimulatedLink, to url: String, call: Int
  ) -> Result<FetchResponse, Failure> {
    switch link {
    case .page where url.hasPrefix("http://g"):
      .success(
        .page(
          "<title>\(url)</title><link rel=alternate type=application/json+oembed href='\(SimulatedLink.endpoint(of: url))'>"
        ))
    case .embed: .success(.json("{\"type\":\"link\",\"author_name\":\"\(url)\"}"))
    case .page, .slow, .poison, .venom: .success(.page("<title>\(url)</title>"))
    case .long:
      .success(
        .redirect(to: url.replacing("long", with: "absent") + "/" + String(repeating: "x", count: 20_000)))
    case .noted, .bulky, .brim: .success(Self.noted("<title>\(url)</title>"))
    case .moved: .success(.redirect(to: url.replacing("moved", with: "page")))
    case .abroad: .success(.redirect(to: SimulatedLink.target(of: url)))
    case .turning: .success(.page(turn(to: url.replacing("turning", with: "turned"))))
    case .turned:
      .success(.page(turn(to: SimulatedLink.end(of: url.replacing("turned", with: "turning")) ?? "")))
    case .flaky where call <= 2, .wobbly where call <= 2, .down:
      .failure(Failure(.connect, at: .connect, "fetch \(url): refused"))
    case .flaky: .success(.page("<title>\(url)</title>"))
    case .busy where call == 1:
      .success(FetchResponse(status: 503, headers: [HeaderField("Retry-After", "3")]))
    case .busy: .success(.page("<title>\(url)</title>"))
    case .missing: .failure(Failure(.dns, at: .dns, "fetch \(url): no such host"))
    case .data: .success(.json("{\"name\":\"\(url)\"}"))
    case .list: .success(.json(SimulatedRun.list(at: url)))
    case .counted: .success(.json(SimulatedRun.counted(at: url)))
    case .value, .lasting, .wobbly:
      .success(Self.saying(.json("{\"id\":\(url.split(separator: "/").last ?? "null")}")))
    case .absent: .success(FetchResponse(status: 404))
    }
  }
}
