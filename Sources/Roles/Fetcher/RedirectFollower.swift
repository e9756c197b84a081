import Links
import Pipeline
import Posix

/// Follows one link to its end: one exchange per hop, the redirect rules decide about the next.
struct RedirectFollower: Sendable {
  let fetching: any Fetching
  let clock: any PipelineClock
  let settings: FetcherSettings
  /// What an oEmbed endpoint may answer.
  private static let embedCapBytes = 64 << 10

  /// Nil when robots.txt is ignored.
  let robots: RobotsCache?
  /// Told of each exchange and of what it means.
  var recorder: WalkRecorder?

  init(fetching: any Fetching, clock: any PipelineClock, settings: FetcherSettings) {
    (self.fetching, self.clock, self.settings) = (fetching, clock, settings)
    robots = settings.robotsName.map { RobotsCache(for: $0) }
  }

  /// Where a walk ended. `failure` says why when it is not at a final response.
  struct End: Sendable {
    var url: WebURL?
    var response: FetchResponse?
    var failure: Failure?
    /// The response that led nowhere, where one did.
    var stopped: (url: WebURL, response: FetchResponse)?
    /// The host that was asked when it failed; nil when none was.
    var failedHost: String?
    /// JSON objects with commas between them.
    var hops: [UInt8] = []
    var later: LaterRefresh?
    /// How it goes on should the page lead on; nil when it holds nothing that could.
    var continuation: Continuation?
    /// What it found is for one user alone.
    var isPrivate = true
    /// A response on the way was chosen by what the key of a cached answer does not tell apart.
    var varies = false
    /// The response says that what is known is still so.
    var isUnchanged = false
    var milliseconds: Int64 = 0
    /// Those of them that it waited for turns.
    var waitedMilliseconds: Int64 = 0
    /// When it was there.
    var moment = Moment(unixMilliseconds: 0)
  }

  /// - Parameters:
  ///   - door: Asked before each host but the link's own; nil when no other walk is under way.
  ///   - activity: Told whether anything that came is worked on.
  @concurrent func walk(
    _ order: JobOrder, through door: (any HostSlotSource)? = nil, telling activity: FetchActivity? = nil
  ) async -> End {
    let earlier = Int64(order.continuation?.elapsedMilliseconds ?? 0)
    let start = clock.now.advanced(byMilliseconds: -earlier)
    var end = End()
    do throws(Failure) {
      let state = try RedirectState(
        order, settings, asking: order.job.kind.readsTheEnd ? .get : settings.method)
      let limit = AttemptDeadline(
        start: start, milliseconds: settings.timeoutMilliseconds, jobDeadline: order.job.deadline)
      var walk = Walk(
        wish: wish(for: order), known: state.isOEmbed ? nil : order.caching?.known, limit: limit,
        state: state, gate: HostGate(order, at: state.chain.current, door: door, clock: clock))
      walk.gate.activity = activity
      while await hop(&walk, into: &end) {}
      end.hops = walk.state.hopsJSON
    } catch {
      (end.hops, end.failure) = (order.continuation?.hops ?? [], error)
    }
    end.moment = clock.now
    end.milliseconds = end.moment.milliseconds(since: start)
    return end
  }

  /// What goes along from hop to hop.
  private struct Walk {
    let wish: BodyPolicy
    let known: Validators?
    let limit: AttemptDeadline
    var state: RedirectState
    var gate: HostGate
  }

  /// Makes one request where the walk is.
  ///
  /// - Returns: Whether the walk goes on.
  private func hop(_ walk: inout Walk, into end: inout End) async -> Bool {
    let answer = await pass(to: walk.state.chain.current, &walk.gate, walk.limit)
    end.waitedMilliseconds = walk.gate.waitedMilliseconds
    var request = walk.state.request(
      walk.wish, deadline: walk.limit.deadline(waited: walk.gate.waitedMilliseconds))
    request.activity = walk.gate.activity
    end.isPrivate = walk.state.isPrivate
    if let refusal = answer.refusal {
      recorder?(.init(request, .failure(refusal), .failed(refusal), permit: answer.reason))
      (end.failure, end.failedHost) = (refusal, answer.host)
      return false
    }
    let isConditional = !end.isPrivate && request.asksForChanges(since: walk.known)
    let hopStart = clock.now
    let result = await fetching.fetch(request)
    if walk.state.fallsBack(after: result) {
      recorder?(.init(request, result, .asksAgainWithGet, permit: answer.reason))
      return true
    }
    switch result {
    case .failure(let failure):
      end.failure = walk.limit.overdue(failure, at: clock.now)
      end.failedHost = failure.stage == .queue ? nil : walk.gate.host
      recorder?(.init(request, result, .failed(end.failure ?? failure), permit: answer.reason))
      return false
    case .success(let response):
      end.varies = end.varies || response.variesBeyondKey(of: request)
      end.isUnchanged = isConditional && response.status == 304
      let milliseconds = clock.now.milliseconds(since: hopStart)
      let page = Hop(walk.state.chain.current, response, via: .metaRefresh, milliseconds: milliseconds)
      let rule = answered(response, at: page, &walk, into: &end)
      recorder?(.init(request, result, rule, permit: answer.reason))
      return if case .goesOn = rule { true } else { false }
    }
  }

  private func answered(
    _ response: FetchResponse, at page: Hop, _ walk: inout Walk, into end: inout End
  ) -> Explanation.Rule {
    let asked = walk.state.chain.current
    let rule = walk.state.answered(response, milliseconds: page.milliseconds)
    switch rule {
    case .goesOn, .asksAgainWithGet, .asksEndpoint, .robots: break
    case .failed(let failure): (end.failure, end.stopped) = (failure, (asked, response))
    case .arrived(let later): arrive(at: page, response, later, walk, into: &end)
    }
    return rule
  }

  private func arrive(
    at page: Hop, _ response: FetchResponse, _ later: LaterRefresh?, _ walk: Walk, into end: inout End
  ) {
    if later == nil, !walk.state.isOEmbed, (200..<300).contains(response.status),
      RefreshSearch.mayFindSomething(in: response.body)
    {
      let elapsed = clock.now.milliseconds(since: walk.limit.start) - walk.gate.waitedMilliseconds
      let continuation = walk.state.continuation(from: page, elapsed: elapsed)
      guard continuation.fits else {
        end.failure = .tooLong(continuation)
        return
      }
      end.continuation = continuation
    }
    end.url = walk.state.chain.current
    end.response = response
    end.later = later
  }

  /// Returns when the URL may be fetched, or why it may not.
  private func pass(to url: WebURL, _ gate: inout HostGate, _ limit: AttemptDeadline) async
    -> RobotsCheck.Answer
  {
    if let refusal = await gate.pass(to: url) { return RobotsCheck.Answer(refusal: refusal) }
    guard let robots else { return RobotsCheck.Answer() }
    let check = RobotsCheck(
      cache: robots, hosts: settings.hosts, fetching: fetching, clock: clock, recorder: recorder)
    return await check.ask(for: url, &gate, limit)
  }

  private func wish(for order: JobOrder) -> BodyPolicy {
    guard order.continuation?.oembed == nil else { return .whole(capBytes: Self.embedCapBytes) }
    switch order.job.kind {
    case .title: return .page(capBytes: settings.pageCapBytes)
    case .decode: return .whole(capBytes: settings.dataCapBytes)
    case .unfurl, .echo, .run: return .startOfPage(capBytes: RefreshSearch.depthBytes)
    }
  }
}

extension Failure {
  /// What a redirect that leads nowhere means for the job.
  init(_ fault: RedirectFault, at url: String) {
    let kind: FailureKind =
      switch fault {
      case .missingTarget: .missingRedirectURL
      case .conflictingTargets, .invalidTarget: .protocolError
      case .loop: .redirectLoop
      case .tooMany: .tooManyRedirects
      case .unsupportedScheme: .unsupportedScheme
      }
    self.init(kind, at: .redirect, "follow \(url): \(fault.message)")
  }

  /// What is to be remembered of the way to a page that may lead on is more than is passed on.
  static func tooLong(_ continuation: Continuation) -> Failure {
    Failure(
      .tooManyRedirects, at: .redirect,
      "follow \(printableLink(continuation.url)): its \(continuation.visits.count) hops and \(continuation.cookies.count) cookies take \(continuation.bytes) bytes, and at most \(Continuation.mostBytes) are kept"
    )
  }
}

/// Whether a page can hold a refresh: a search for bytes, so that only few pages have to be read because of it.
enum RefreshSearch {
  /// A refresh behind these bytes is not seen.
  static let depthBytes = 64 << 10

  /// Whether something like `http-equiv="refresh"` stands in the first bytes, in any case.
  static func mayFindSomething(in body: [UInt8]) -> Bool {
    let start = body.span.extracting(first: depthBytes)
    // The rarest letter of the name.
    let letter = UInt8(ascii: "q")
    var found = start.firstIndex(ofLetter: letter, from: 0)
    while found < start.count {
      if isRefresh(around: found, in: body) { return true }
      found = start.firstIndex(ofLetter: letter, from: found + 1)
    }
    return false
  }

  private static func isRefresh(around letter: Int, in body: [UInt8]) -> Bool {
    guard has("http-equiv", at: letter - 6, in: body) else { return false }
    var rest = body[(letter + 4)...].drop(while: isSpace)
    guard rest.popFirst() == UInt8(ascii: "=") else { return false }
    rest = rest.drop(while: isSpace)
    if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") { rest = rest.dropFirst() }
    rest = rest.drop(while: isSpace)
    return has("refresh", at: rest.startIndex, in: body)
  }

  private static func has(_ word: StaticString, at start: Int, in body: [UInt8]) -> Bool {
    guard start >= 0, start + word.utf8CodeUnitCount <= body.count else { return false }
    return zip(word.description.utf8, body[start...]).allSatisfy { letter, byte in
      byte == letter || ((0x41...0x5A).contains(byte) && byte | 0x20 == letter)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
  }
}
