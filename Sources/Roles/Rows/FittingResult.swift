import Pipeline

extension JobResult {
  /// Itself, or in the place of a result that no message holds a small one that says so. It is kept until it is
  /// acknowledged, so one that cannot be sent would be repeated for ever.
  func fitting(_ order: JobOrder, milliseconds: Int64) -> JobResult {
    guard row.count > EnvelopeCodec.longestRow || !EnvelopeCodec.fits(.result(self)) else { return self }
    var small = self
    (small.continuation, small.caching, small.sideFailure, small.standsAnyway) = (nil, nil, nil, false)
    let failure = failure ?? .tooLong(self, of: order.job)
    small.failure = failure
    small.row = RowComposer.row(
      of: order.job, failure: failure, attempts: order.lease.attempt, milliseconds: milliseconds)
    return small
  }
}

extension Failure {
  fileprivate static func tooLong(_ result: JobResult, of job: Job) -> Failure {
    let link = printable(job.input)
    guard let continuation = result.continuation else {
      return Failure(
        .bodyTooLarge, at: .json,
        "read \(link): its row takes \(result.row.count) bytes, and a message holds \(EnvelopeCodec.longestRow); choose a part of it with --select"
      )
    }
    return Failure(
      .bodyTooLarge, at: .redirect,
      "read \(link): what it takes to go on to \(printable(continuation.url)) is more than a message holds; give the link that it leads to"
    )
  }

  private static func printable(_ link: String?) -> String { (link ?? "").shortened(toBytes: 512) }
}
