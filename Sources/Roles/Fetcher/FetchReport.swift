import HTTPMessages
import JSONQuery
import Links
import Pipeline

/// Turns the end of a walk into what leaves the fetcher.
enum FetchReport {
  enum Outcome {
    case result(JobResult)
    case document(Document)
  }

  /// What can be sent: no message is larger than a frame.
  static func outcome(of order: JobOrder, _ end: RedirectFollower.End, by sender: WorkerID) -> Outcome {
    switch wholeOutcome(of: order, end, by: sender) {
    case .result(let result):
      return .result(result.fitting(order.job))
    case .document(let document):
      do throws(FrameTooLarge) {
        try EnvelopeCodec.check(.document(document))
        return .document(document)
      } catch {
        return .result(result(of: order, by: sender, .tooLarge(document, error), [], end))
      }
    }
  }

  private static func wholeOutcome(of order: JobOrder, _ end: RedirectFollower.End, by sender: WorkerID)
    -> Outcome
  {
    if let oembed = order.continuation?.oembed {
      return OEmbedReport.outcome(of: order, oembed, end, by: sender)
    }
    let members = members(of: end)
    guard let response = end.response, let url = end.url else {
      return .result(result(of: order, by: sender, .withoutResponse(end), members, end))
    }
    let statusFailure = StatusRule.failure(
      of: response, url: url.href, at: end.moment, accepting: order.job.reading.accepts)
    if end.isUnchanged { return .result(result(of: order, by: sender, nil, members, end)) }
    if let failure = response.bodyFailure, statusFailure == nil {
      return .result(result(of: order, by: sender, failure.advised, members, end))
    }
    // A page that may lead on is the decoder's to read, whatever the job is about.
    guard order.job.kind.readsTheEnd || end.continuation != nil else {
      return .result(answer(to: order, by: sender, response, url, members, end))
    }
    var document = Document(
      of: response, at: url, for: order, end, failing: statusFailure, members, by: sender)
    document.isCapped = response.isCapped
    document.continuation = end.continuation
    document.waitedMilliseconds = UInt32(clamping: end.waitedMilliseconds)
    document.caching = CacheNote(for: order, end)
    document.note = ResponseNote(of: response, wantsLinks: order.job.reading.call != nil)
    return .document(document)
  }

  /// Any final response is an answer; one that asks for peace is worth another attempt first.
  private static func answer(
    to order: JobOrder, by sender: WorkerID, _ response: FetchResponse, _ url: WebURL, _ members: [UInt8],
    _ end: RedirectFollower.End
  ) -> JobResult {
    var answer = result(of: order, by: sender, nil, members, end)
    // Too many requests, or unavailable for a while.
    guard [429, 503].contains(response.status) else { return answer }
    answer.failure = StatusRule.failure(of: response, url: url.href, at: end.moment)
    answer.failedHost = url.hostKey
    answer.standsAnyway = true
    return answer
  }

  private static func result(
    of order: JobOrder, by sender: WorkerID, _ failure: Failure?, _ members: [UInt8],
    _ end: RedirectFollower.End
  ) -> JobResult {
    var result = JobResult(
      job: order.job.id, sender: sender, lease: order.lease, failure: failure,
      failedHost: failure.flatMap { _ in end.failedHost }, members: members,
      milliseconds: UInt32(clamping: end.milliseconds))
    result.caching = CacheNote(for: order, end)
    return result
  }

  private static func members(of end: RedirectFollower.End) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: 256)
    if let response = end.response {
      write(response, from: end.url, to: &row)
    } else if let (url, response) = end.stopped {
      write(response, from: url, to: &row)
    }
    if !end.hops.isEmpty || end.response != nil {
      row.beginArray("hops")
      if !end.hops.isEmpty { row.raw(end.hops) }
      row.endArray()
    }
    end.later?.write(to: &row)
    row.member("fetched_at", end.moment.timestamp)
    return row.bytes
  }

  private static func write(_ response: FetchResponse, from url: WebURL?, to row: inout JSONWriter) {
    row.member("url", url?.href)
    row.member("http_status", response.status)
    row.member("content_type", response.header("content-type")?.mediaType)
    if response.truncated {
      row.member("truncated", true)
    }
    guard response.bodyFailure != nil, response.status < 400,
      let length = ResponseNote(of: response, wantsLinks: false)?.length
    else { return }
    row.member("length", length)
  }
}

extension Failure {
  /// With advice: unlike those of an oEmbed call, these limits can be raised.
  fileprivate var advised: Failure {
    guard kind == .bodyTooLarge else { return self }
    var failure = self
    failure.message += "; allow more with --max-body"
    return failure
  }

  static func withoutResponse(_ end: RedirectFollower.End) -> Failure {
    end.failure ?? Failure(.underlying, at: .queue, "walk ended without a response; please report this")
  }

  /// Body, way and question together are more than a message holds.
  fileprivate static func tooLarge(_ document: Document, _ error: FrameTooLarge) -> Failure {
    Failure(
      .bodyTooLarge, at: .body,
      "fetch \(document.url): with all that goes with it, it takes \(error.bytes) bytes, and a message holds \(error.limit); allow less with --max-document"
    )
  }
}

extension Document {
  /// What a walk arrived at, for the step after it.
  init(
    of response: FetchResponse, at url: WebURL, for order: JobOrder, _ end: RedirectFollower.End,
    failing failure: Failure? = nil, _ members: [UInt8] = [], by sender: WorkerID
  ) {
    var next = order
    next.continuation = nil
    self.init(
      order: next, sender: sender, url: url.href, failure: failure,
      contentType: response.header("content-type"), truncated: response.truncated,
      elapsedMilliseconds: UInt32(clamping: end.milliseconds), members: members, body: response.body)
  }

  /// An order that needs nothing from the network, on its way to a decoder.
  init(passing order: JobOrder, by sender: WorkerID) {
    self.init(
      order: order, sender: sender, url: "", failure: nil, contentType: nil, truncated: false,
      elapsedMilliseconds: 0, members: [], body: [])
  }
}

/// Turns the end of an oEmbed request into what leaves the fetcher: a document where there is an answer, else the result without it.
enum OEmbedReport {
  static func outcome(
    of order: JobOrder, _ oembed: OEmbedContinuation, _ end: RedirectFollower.End, by sender: WorkerID
  ) -> FetchReport.Outcome {
    guard let response = end.response, let url = end.url else {
      let failure = Failure.withoutResponse(end)
      return .result(result(of: order, oembed, without: failure, at: end.failedHost, end, by: sender))
    }
    if let failure = fault(of: response, at: url, end.moment) {
      return .result(result(of: order, oembed, without: failure, at: url.hostKey, end, by: sender))
    }
    var document = Document(of: response, at: url, for: order, end, by: sender)
    document.continuation = order.continuation
    if end.varies { document.continuation?.oembed?.caching = nil }
    return .document(document)
  }

  private static func fault(of response: FetchResponse, at url: WebURL, _ now: Moment) -> Failure? {
    if let failure = StatusRule.failure(of: response, url: url.href, at: now) { return failure }
    guard (200..<300).contains(response.status) else {
      return Failure(.httpStatus, at: .headers, "fetch \(url.href): the server answered \(response.status)")
    }
    return response.bodyFailure
  }

  /// The page's own answer. One that lacks something that may be there next time is not kept.
  private static func result(
    of order: JobOrder, _ oembed: OEmbedContinuation, without failure: Failure, at host: String?,
    _ end: RedirectFollower.End,
    by sender: WorkerID
  ) -> JobResult {
    var result = JobResult(
      job: order.job.id, sender: sender, lease: order.lease, failure: oembed.failure, failedHost: host,
      members: oembed.members(without: failure), milliseconds: UInt32(clamping: end.milliseconds))
    result.sideFailure = failure
    result.caching = failure.retryable ? nil : oembed.caching
    return result
  }
}

/// When a final status is a failure of the steps that follow.
enum StatusRule {
  /// Statuses that may pass when the peer had a bad moment.
  static let passing: Set<Int> = [408, 425, 429, 502, 503, 504]

  /// - Parameter accepted: The statuses that count as a success; those below 400 when there are none.
  /// - Returns: nil when the page behind the status can be used.
  static func failure(
    of response: FetchResponse, url: String, at now: Moment, accepting accepted: [StatusRange] = []
  ) -> Failure? {
    if accepted.isEmpty ? response.status < 400 : accepted.contains(where: { $0.contains(response.status) }) {
      return nil
    }
    let retryable = passing.contains(response.status)
    let asked = retryable ? response.header("retry-after") : nil
    return Failure(
      .httpStatus, at: .headers,
      "fetch \(url): the server answered \(response.status)\(accepted.isEmpty ? "" : ", which --accept does not list")",
      retryable: retryable,
      retryAfterMilliseconds: asked.flatMap {
        RetryAfter.milliseconds($0, date: response.header("date"), at: now)
      })
  }
}
