import Pipeline

extension JobResult {
  /// Bytes of the row of its job; nil when they are so few that any message holds them.
  func longRow(of job: Job) -> Int? {
    guard !RowComposer.fits(answer, for: job) else { return nil }
    var rest = self
    rest.members = []
    let bytes = members.count + (members.isEmpty ? 0 : 1) + RowComposer.row(of: job, rest.answer).count
    return bytes > EnvelopeCodec.longestRow ? bytes : nil
  }

  /// Itself, or in the place of a result that no message holds, or whose row none would, a small one that says so. It is
  /// kept until it is acknowledged, so one that cannot be sent would be repeated for ever.
  func fitting(_ job: Job) -> JobResult {
    let longRow = longRow(of: job)
    // All that it has besides goes with a row that fits.
    if longRow == nil, continuation == nil, caching == nil { return self }
    guard longRow != nil || !EnvelopeCodec.fits(.result(self)) else { return self }
    var small = self
    (small.continuation, small.caching, small.sideFailure, small.standsAnyway) = (nil, nil, nil, false)
    let tooLong = tooLong(of: job, longRow ?? members.count)
    small.failure = standsAnyway ? tooLong : failure ?? tooLong
    small.members = []
    return small
  }

  private func tooLong(of job: Job, _ bytes: Int) -> Failure {
    let link = Self.printable(job.input)
    guard let continuation else { return .longRow(of: link, bytes) }
    return Failure(
      .bodyTooLarge, at: .redirect,
      "read \(link): what it takes to go on to \(Self.printable(continuation.url)) is more than a message holds; give the link that it leads to"
    )
  }

  private static func printable(_ link: String?) -> String { (link ?? "").shortened(toBytes: 512) }
}

extension Failure {
  static func longRow(of url: String, _ bytes: Int) -> Failure {
    Failure(
      .bodyTooLarge, at: .json,
      "read \(url): its row takes \(bytes) bytes, and a message holds \(EnvelopeCodec.longestRow); choose a part of it with --select"
    )
  }
}
