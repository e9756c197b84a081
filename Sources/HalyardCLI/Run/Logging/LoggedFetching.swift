import Links
import Pipeline
import Posix

/// Tells the log of each exchange, for those who want to see what a run does.
struct LoggedFetching: Fetching {
  let base: any Fetching
  let log: any Log

  /// - Returns: The same without a log unless the plan wants to hear so much.
  static func wanted(
    by plan: LogPlan, _ fetching: [any Fetching], _ log: any Log
  ) -> [any Fetching] {
    plan.level == .debug ? fetching.map { LoggedFetching(base: $0, log: log) } : fetching
  }

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    let startedAt = SystemTime.monotonicMicroseconds
    let result = await base.fetch(request)
    let asked = [LogField("method", request.method.rawValue), LogField("url", printableLink(request.url))]
    let time = [LogField("ms", (SystemTime.monotonicMicroseconds - startedAt) / 1_000)]
    switch result {
    case .success(let response):
      log.record(.debug, "fetched", asked + Self.fields(of: response) + time)
    case .failure(let failure):
      let cause = [LogField("failure", failure.kind.rawValue), LogField("cause", failure.message)]
      log.record(.debug, "not fetched", asked + cause + time)
    }
    return result
  }

  private static func fields(of response: FetchResponse) -> [LogField] {
    var fields = [LogField("status", response.status), LogField("bytes", response.body.count)]
    if let address = response.remoteAddress { fields.append(LogField("address", address)) }
    if let version = response.version { fields.append(LogField("version", version.rawValue)) }
    fields.append(LogField("connection", response.isOnNewConnection ? "new" : "kept"))
    if let failure = response.bodyFailure { fields.append(LogField("failure", failure.kind.rawValue)) }
    return fields
  }

  func keeps(bytes: Int) { base.keeps(bytes: bytes) }

  var executor: (any TaskExecutor)? { base.executor }
}
