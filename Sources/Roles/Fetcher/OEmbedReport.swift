import Links
import Pipeline

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
