import Links
import Pipeline

/// Follows one link to its end: one exchange per hop, the redirect rules decide about the next.
struct LinkWalk: Sendable {
  let fetching: any Fetching
  let clock: any PipelineClock
  let settings: FetcherSettings

  /// Where a walk ended. `failure` says why when it is not at a final response.
  struct End: Sendable {
    var url: WebURL?
    var response: FetchResponse?
    var failure: Failure?
    /// The host that was asked when it failed; nil when none was.
    var failedHost: String?
    var hops: [Hop] = []
    var milliseconds: Int64 = 0
    /// When it was there.
    var moment = Moment(unixMilliseconds: 0)
  }

  /// - Parameter door: Asked before each host but the link's own.
  @concurrent func walk(_ order: JobOrder, through door: any HostDoor) async -> End {
    let start = clock.now
    var end = End()
    await follow(order, through: door, into: &end, startedAt: start)
    end.moment = clock.now
    end.milliseconds = end.moment.milliseconds(since: start)
    return end
  }

  private func follow(
    _ order: JobOrder, through door: any HostDoor, into end: inout End, startedAt start: Moment
  ) async {
    var chain: RedirectChain
    do {
      chain = RedirectChain(start: try Intake.link(of: order.job), maxHops: settings.maxHops)
    } catch {
      end.failure = error
      return
    }
    let credentials = LinkCredentials(of: chain.current)
    var gate = HostGate(order, at: chain.current, door: door, clock: clock)
    while true {
      if let refusal = await gate.pass(to: chain.current, after: end.hops.count) {
        end.failure = refusal
        return
      }
      let deadline = deadline(
        of: order.job, startedAt: start.advanced(byMilliseconds: gate.waitedMilliseconds))
      let request = FetchRequest(
        url: chain.current.requestURL, headers: credentials.headers(for: chain.current),
        body: wish(for: order), deadline: deadline)
      let hopStart = clock.now
      switch await fetching.fetch(request) {
      case .failure(let failure):
        end.failure = overdue(failure, order.job)
        end.failedHost = gate.host
        return
      case .success(let response):
        let hop = Hop(
          url: chain.current.href, response: response,
          milliseconds: clock.now.milliseconds(since: hopStart))
        switch chain.answered(status: response.status, locations: response.values(of: "location")) {
        case .final:
          end.url = chain.current
          end.response = response
          return
        case .follow:
          end.hops.append(hop)
        case .failed(let fault):
          end.hops.append(hop)
          end.failure = Failure(fault, at: hop.url)
          return
        }
      }
    }
  }

  private func deadline(of job: Job, startedAt start: Moment) -> Moment {
    let ours = start.advanced(byMilliseconds: settings.timeoutMilliseconds)
    return job.deadline.map { min($0, ours) } ?? ours
  }

  /// A time-out that came from the job's own deadline is no reason to try again.
  private func overdue(_ failure: Failure, _ job: Job) -> Failure {
    guard failure.kind == .timeout, let deadline = job.deadline, clock.now >= deadline else { return failure }
    return Failure(.deadline, at: failure.stage, failure.message)
  }

  private func wish(for order: JobOrder) -> BodyWish {
    let next = Int(order.step) + 1
    guard next < order.job.slip.steps.count else { return .nothing }
    switch order.job.slip.steps[next] {
    case .title: return .page(capBytes: settings.pageCapBytes)
    case .decode: return .whole(capBytes: settings.dataCapBytes)
    case .unfurl, .echo: return .nothing
    }
  }
}
