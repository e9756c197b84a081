import HTTPMessages
import JSONQuery
import Links
import Pipeline

/// Turns the end of a walk into what leaves the fetcher.
struct FetchReport {
  enum Outcome {
    case result(JobResult)
    case document(Document)
  }

  private let order: JobOrder
  private let end: RedirectFollower.End
  private let sender: WorkerID

  /// What can be sent: no message is larger than a frame.
  static func outcome(of order: JobOrder, _ end: RedirectFollower.End, by sender: WorkerID) -> Outcome {
    let report = FetchReport(order: order, end: end, sender: sender)
    switch report.wholeOutcome {
    case .result(let result):
      return .result(result.fitting(order.job))
    case .document(let document):
      do throws(FrameTooLarge) {
        try EnvelopeCodec.check(.document(document))
        return .document(document)
      } catch {
        return .result(report.result(.tooLarge(document, error), []))
      }
    }
  }

  private var wholeOutcome: Outcome {
    if let oembed = order.continuation?.oembed { return outcome(of: oembed) }
    let members = members
    guard let response = end.response, let url = end.url else {
      return .result(result(.withoutResponse(end), members))
    }
    let statusFailure = StatusRule.failure(
      of: response, url: url.href, at: end.moment, accepting: order.job.reading.accepts)
    if end.isUnchanged { return .result(result(nil, members)) }
    if let failure = response.bodyFailure, statusFailure == nil {
      return .result(result(failure.advised, members))
    }
    // A page that may lead on is the decoder's to read, whatever the job is about.
    guard order.job.kind.readsTheEnd || end.continuation != nil else {
      return .result(answer(response, url, members))
    }
    var document = document(of: response, at: url, failing: statusFailure, members)
    document.isCapped = response.isCapped
    document.continuation = end.continuation
    document.waitedMilliseconds = UInt32(clamping: end.waitedMilliseconds)
    document.caching = CacheNote(for: order, end)
    document.note = ResponseNote(of: response, wantsLinks: order.job.reading.call != nil)
    return .document(document)
  }

  /// Any final response is an answer; one that asks for peace is worth another attempt first.
  private func answer(_ response: FetchResponse, _ url: WebURL, _ members: [UInt8]) -> JobResult {
    var answer = result(nil, members)
    // Too many requests, or unavailable for a while.
    guard [429, 503].contains(response.status) else { return answer }
    answer.failure = StatusRule.failure(of: response, url: url.href, at: end.moment)
    answer.failedHost = url.hostKey
    answer.standsAnyway = true
    return answer
  }

  private func result(_ failure: Failure?, _ members: [UInt8]) -> JobResult {
    var result = result(failure, at: failure.flatMap { _ in end.failedHost }, members)
    result.caching = CacheNote(for: order, end)
    return result
  }

  private func result(_ failure: Failure?, at host: String?, _ members: [UInt8]) -> JobResult {
    JobResult(
      job: order.job.id, sender: sender, lease: order.lease, failure: failure, failedHost: host,
      members: members, milliseconds: UInt32(clamping: end.milliseconds))
  }

  /// What the walk arrived at, for the step after it.
  private func document(
    of response: FetchResponse, at url: WebURL, failing failure: Failure? = nil, _ members: [UInt8] = []
  ) -> Document {
    var next = order
    next.continuation = nil
    return Document(
      order: next, sender: sender, url: url.href, failure: failure,
      contentType: response.header("content-type"), truncated: response.truncated,
      elapsedMilliseconds: UInt32(clamping: end.milliseconds), members: members, body: response.body)
  }

  private var members: [UInt8] {
    var row = JSONWriter(reservingCapacity: 256)
    if let response = end.response {
      Self.write(response, from: end.url, to: &row)
    } else if let (url, response) = end.stopped {
      Self.write(response, from: url, to: &row)
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

/// The end of an oEmbed request: a document where there is an answer, else the result without it.
extension FetchReport {
  private func outcome(of oembed: OEmbedContinuation) -> Outcome {
    guard let response = end.response, let url = end.url else {
      return .result(result(of: oembed, without: .withoutResponse(end), at: end.failedHost))
    }
    if let failure = fault(of: response, at: url) {
      return .result(result(of: oembed, without: failure, at: url.hostKey))
    }
    var document = document(of: response, at: url)
    document.continuation = order.continuation
    if end.varies { document.continuation?.oembed?.caching = nil }
    return .document(document)
  }

  private func fault(of response: FetchResponse, at url: WebURL) -> Failure? {
    if let failure = StatusRule.failure(of: response, url: url.href, at: end.moment) { return failure }
    guard (200..<300).contains(response.status) else {
      return Failure(.httpStatus, at: .headers, "fetch \(url.href): the server answered \(response.status)")
    }
    return response.bodyFailure
  }

  /// The page's own answer. One that lacks something that may be there next time is not kept.
  private func result(
    of oembed: OEmbedContinuation, without failure: Failure, at host: String?
  ) -> JobResult {
    var result = result(oembed.failure, at: host, oembed.members(without: failure))
    result.sideFailure = failure
    result.caching = failure.retryable ? nil : oembed.caching
    return result
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

  fileprivate static func withoutResponse(_ end: RedirectFollower.End) -> Failure {
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
  /// An order that needs nothing from the network, on its way to a decoder.
  init(passing order: JobOrder, by sender: WorkerID) {
    self.init(
      order: order, sender: sender, url: "", failure: nil, contentType: nil, truncated: false,
      elapsedMilliseconds: 0, members: [], body: [])
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
