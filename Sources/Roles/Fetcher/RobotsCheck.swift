import Links
import Pipeline

/// Asks, before a link is fetched, what the robots.txt of its origin says (RFC 9309).
struct RobotsCheck: Sendable {
  let cache: RobotsCache
  let hosts: HostRequests
  let fetching: any Fetching
  let clock: any PipelineClock
  var recorder: WalkRecorder?

  /// The verdict on a link.
  struct Answer: Sendable {
    /// Nil when it may be fetched.
    var refusal: Failure?
    /// The host that is to blame for it.
    var host: String?
    /// Why, for people; nil where it is not shown.
    var reason: String?
  }

  private static let file = "/robots.txt"
  private static let mostRedirects = 5
  /// For another walk to ask. Should files of two hosts lead to each other, walks that wait for both would have all
  /// slots of both, and those that ask would get none.
  private static let longestWait: Int64 = 300_000
  private static let fairTime: Int64 = 10_000

  /// - Parameter gate: Has passed to the link's host; back there when the link may be fetched.
  func ask(for url: WebURL, _ gate: inout HostGate, _ limit: AttemptDeadline) async -> Answer {
    let origin = url.origin
    while true {
      switch cache.claim(origin, at: clock.now) {
      case .known(let access):
        if let refusal = await gate.pass(to: url) { return Answer(refusal: refusal) }
        return judge(url, origin, access)
      case .isYours:
        let finding = await read(origin, &gate, limit)
        if cache.settle(origin, finding, at: clock.now) { continue }
        return answer(of: finding)
      case .isUnderWay:
        let start = clock.now
        let last = start.advanced(byMilliseconds: Self.longestWait)
        let wait = await cache.wait(for: origin, until: min(limit.jobDeadline ?? last, last), on: clock)
        gate.waited(since: start)
        switch wait {
        case .over: continue
        case .failed(let failure):
          // The host failed once, for the walk that asked.
          return Answer(refusal: failure)
        case .tooLate:
          let told = "fetch \(url.href): waited for \(origin)\(Self.file) until it was too late"
          let failure = limit.overdue(Failure(.timeout, at: .queue, told), at: clock.now)
          return Answer(refusal: failure)
        case .cancelled:
          return Answer(refusal: Failure(.cancelled, at: .queue, "fetch \(url.href): cancelled"))
        }
      }
    }
  }

  private func answer(of finding: RobotsFinding) -> Answer {
    switch finding {
    case .failed(let failure, let host), .brokenOff(let failure, let host):
      Answer(refusal: failure, host: host)
    case .known, .notNow: Answer()
    }
  }

  private func judge(_ url: WebURL, _ origin: Origin, _ access: RobotsAccess) -> Answer {
    let file = "\(origin)\(Self.file)"
    switch access {
    case .noRules(let reason): return Answer(reason: "\(reason): all of it may be fetched")
    case .unknown(let reason, let until):
      return Answer(
        refusal: .robots(url, unknown: reason, milliseconds: until.milliseconds(since: clock.now)),
        host: url.hostKey)
    case .rules(let rules):
      switch rules.verdict(on: url) {
      case .allowed(nil): return Answer(reason: "\(file) says nothing against it")
      case .allowed(let rule?):
        return Answer(reason: "line \(rule.line) of \(file) allows it, '\(rule)'")
      case .refused(let rule): return Answer(refusal: .robots(url, rule: rule, in: file))
      case .tooMuchToCompare: return Answer(refusal: .robots(url, tooMuchIn: file))
      }
    }
  }

  /// Goes to the file, wherever redirects lead, with a slot of each host on the way.
  private func read(_ origin: Origin, _ gate: inout HostGate, _ limit: AttemptDeadline) async
    -> RobotsFinding
  {
    let start: WebURL
    do {
      start = try WebURL("\(origin)\(Self.file)")
    } catch {
      return .failed(Failure(.invalidInput, at: .address, "\(origin): \(error.message)"), host: nil)
    }
    var chain = RedirectChain(start: start, maxHops: Self.mostRedirects)
    while true {
      if let refusal = await gate.pass(to: chain.current) {
        return .brokenOff(refusal, host: nil)
      }
      let page = chain.current.requestURL
      var request = request(for: chain.current, of: origin, limit.deadline(waited: gate.waitedMilliseconds))
      request.activity = gate.activity
      let time = request.deadline.milliseconds(since: clock.now)
      let result = await fetching.fetch(request)
      let finding: RobotsFinding
      switch result {
      case .failure(let failure): finding = failed(failure, gate.host, request, limit, after: time)
      case .success(let response):
        switch chain.answered(status: response.status, locations: response.values(of: "location")) {
        case .follow(let next, _):
          recorder?(.init(request, result, .goesOn(to: next.href, via: .location), isForRobots: true))
          continue
        case .failed(let fault): finding = RobotsFinding(fault, at: page)
        case .final:
          if let failure = response.bodyFailure, failure.kind == .timeout {
            finding = failed(failure, gate.host, request, limit, after: time)
          } else {
            let product = hosts.product(for: origin) ?? cache.product
            finding = RobotsFinding(response, at: page, for: product, now: clock.now)
          }
        }
      }
      recorder?(.init(request, result, .robots(finding.told), isForRobots: true))
      return finding
    }
  }

  private func request(for url: WebURL, of origin: Origin, _ deadline: Moment) -> FetchRequest {
    var request = FetchRequest(
      url: url.requestURL, body: .page(capBytes: RobotsRules.capBytes), deadline: deadline)
    if !hosts.isEmpty { _ = hosts.apply(to: &request.headers, for: url, walkingFrom: origin.scheme) }
    return request
  }

  /// - Parameter time: What the request had; with little of it the server is not to blame.
  private func failed(
    _ failure: Failure, _ host: String, _ request: FetchRequest, _ limit: AttemptDeadline,
    after time: Int64
  ) -> RobotsFinding {
    var told = limit.overdue(failure, at: clock.now)
    told.message += "; it is asked for first because of --respect-robots"
    let isCutShort =
      failure.kind == .timeout && clock.now >= request.deadline
      && (time < Self.fairTime || told.kind == .deadline)
    let isOurs = failure.kind == .cancelled || failure.stage == .queue || isCutShort
    return isOurs ? .brokenOff(told, host: host) : .failed(told, host: host)
  }
}

/// What an origin's robots.txt lets us do there, as far as it is known.
enum RobotsAccess: Sendable {
  case rules(RobotsRules)
  /// There is none; why, for people.
  case noRules(String)
  /// It cannot be had, so nothing is fetched there before it is asked for again.
  case unknown(String, until: Moment)

  /// Bytes of memory, about.
  var weight: Int {
    switch self {
    case .rules(let rules): rules.weight
    case .noRules, .unknown: 200
    }
  }
}

/// What one walk to a robots.txt yielded.
enum RobotsFinding: Sendable {
  case known(RobotsAccess, forMilliseconds: Int64)
  /// The server has it, and does not give it now.
  case notNow(String, retryAfterMilliseconds: Int64?)
  /// The host was not reached; nil when it was not asked.
  case failed(Failure, host: String?)
  /// It was broken off for reasons of the job's own, which say nothing to others.
  case brokenOff(Failure, host: String?)
}

extension RobotsFinding {
  /// Longest and shortest time that a file is trusted (RFC 9309, 2.4).
  private static let aDay: Int64 = 24 * 3_600_000
  private static let aMinute: Int64 = 60_000

  /// What a final response means (RFC 9309, 2.3.1).
  init(_ response: FetchResponse, at url: String, for product: ProductToken, now: Moment) {
    let time = Self.lifetime(response.header("cache-control"))
    switch response.status {
    case 200..<300 where response.bodyFailure == nil:
      let isCut = response.body.count >= RobotsRules.capBytes
      if response.truncated, !isCut {
        self = .notNow("\(url) ended too early", retryAfterMilliseconds: nil)
      } else {
        let rules = RobotsRules(parsing: response.body, isCut: isCut, for: product)
        self = .known(.rules(rules), forMilliseconds: time)
      }
    case 429, 500..., ..<300:
      self = .notNow(
        response.bodyFailure?.message ?? "\(url) answered \(response.status)",
        retryAfterMilliseconds: response.header("retry-after").flatMap {
          RetryAfter.milliseconds($0, date: response.header("date"), at: now)
        })
    default: self = .known(.noRules("\(url) answered \(response.status)"), forMilliseconds: time)
    }
  }

  /// Redirects that lead nowhere are as good as no file.
  init(_ fault: RedirectFault, at url: String) {
    self = .known(.noRules("\(url): \(fault.message)"), forMilliseconds: Self.aDay)
  }

  private static func lifetime(_ control: String?) -> Int64 {
    for directive in (control ?? "").lowercased().split(separator: ",") {
      let words = directive.split(whereSeparator: { $0 == "=" || $0 == " " || $0 == "\t" || $0 == "\"" })
      if words.first == "no-store" || words.first == "no-cache" { return aMinute }
      guard words.count == 2, words[0] == "max-age", words[1].utf8.allSatisfy({ (48...57).contains($0) })
      else { continue }
      return max(aMinute, min(Int64(words[1]) ?? aDay, aDay / 1_000) * 1_000)
    }
    return aDay
  }
}

extension Failure {
  /// A rule says no.
  static func robots(_ url: WebURL, rule: RobotsRule, in file: String) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): line \(rule.line) of \(file) refuses it, '\(rule)'; ask its owner, or leave --respect-robots out"
    )
  }

  /// The rules are not known for now.
  static func robots(_ url: WebURL, unknown reason: String, milliseconds: Int64) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): \(reason), so nothing there may be fetched; try again in \(max(1, milliseconds / 1_000)) s,"
        + " or leave --respect-robots out",
      retryable: true, retryAfterMilliseconds: milliseconds)
  }

  static func robots(_ url: WebURL, tooMuchIn file: String) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): the rules of \(file) are too many for so long a link, so it is not fetched;"
        + " leave --respect-robots out to fetch it all the same")
  }
}

extension RobotsFinding {
  /// What came of it, in one line.
  var told: String {
    switch self {
    case .known(.rules(let rules), let time):
      "\(rules.count) \(rules.count == 1 ? "rule is" : "rules are") for us, and kept for \(time / 1_000) s"
    case .known(.noRules(let reason), _): "\(reason): all of it may be fetched"
    case .known(.unknown(let reason, _), _), .notNow(let reason, _): "\(reason): nothing there may be fetched"
    case .failed(let failure, _), .brokenOff(let failure, _): failure.message
    }
  }
}
