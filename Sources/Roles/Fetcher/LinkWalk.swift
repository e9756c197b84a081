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
    var hops: [Hop] = []
    var milliseconds: Int64 = 0
  }

  @concurrent func walk(_ order: JobOrder) async -> End {
    let start = clock.now
    var end = End()
    await follow(order, into: &end, startedAt: start)
    end.milliseconds = clock.now.milliseconds(since: start)
    return end
  }

  private func follow(_ order: JobOrder, into end: inout End, startedAt start: Moment) async {
    let deadline = deadline(of: order.job, startedAt: start)
    var chain: RedirectChain
    do {
      chain = RedirectChain(start: try Intake.link(of: order.job), maxHops: settings.maxHops)
    } catch {
      end.failure = error
      return
    }
    let credentials = LinkCredentials(of: chain.current)
    while true {
      let request = FetchRequest(
        url: chain.current.requestURL, headers: credentials.headers(for: chain.current),
        body: wish(for: order), deadline: deadline)
      let hopStart = clock.now
      switch await fetching.fetch(request) {
      case .failure(let failure):
        end.failure = overdue(failure, order.job)
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
