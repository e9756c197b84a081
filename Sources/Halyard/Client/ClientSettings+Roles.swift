internal import Assembly
internal import FetchCurl
internal import LedgerMemory
internal import Links
internal import Pipeline
internal import Posix
internal import Roles
internal import Scheduling

/// What the settings mean for the pipeline.
extension ClientSettings {
  /// - Parameter fetching: nil for the network.
  func backend(_ fetching: (any Fetching)? = nil, log: any Log) throws(HalyardError) -> EmbeddedBackend {
    var backend = EmbeddedBackend(try options(), clock: SystemClock(), log: log)
    backend.deadlineMilliseconds = deadline?.wholeMilliseconds
    backend.caching = try caching()
    backend.fetching = fetching
    return backend
  }

  func options() throws(HalyardError) -> PipelineOptions {
    try checkTimes()
    var options = PipelineOptions()
    options.roles.fetcher.concurrency = try Self.number(
      concurrency, in: PipelineOptions.concurrencies, "concurrency")
    options.threads = try Self.number(threads ?? processors, in: PipelineOptions.threadCounts, "threads")
    try setAggregator(&options.roles.aggregator)
    try setFetcher(&options.roles.fetcher)
    options.allowed = Lock(try allowed())
    try setNetwork(of: &options)
    return options
  }

  private func setAggregator(_ aggregator: inout AggregatorSettings) throws(HalyardError) {
    aggregator.perHost = try Self.number(perHost, in: PipelineOptions.hostCounts, "perHost")
    aggregator.hostDelayMilliseconds = hostDelay.wholeMilliseconds
    let retries = try Self.number(retries, in: 0...1_000, "retries")
    aggregator.retry = RetryRule(retries: UInt16(clamping: retries))
    aggregator.givesUpAfter = try givesUpAfter.map { limit throws(HalyardError) in
      try Self.number(limit, in: 1...Int64.max, "givesUpAfter")
    }
  }

  private func setFetcher(_ fetcher: inout FetcherSettings) throws(HalyardError) {
    fetcher.maxHops = try Self.number(maxHops, in: PipelineOptions.hopCounts, "maxHops")
    fetcher.timeoutMilliseconds = timeout.wholeMilliseconds
    fetcher.pageCapBytes = try Self.number(largestPage, in: PipelineOptions.bodySizes, "largestPage")
    fetcher.dataCapBytes = try Self.number(largestDocument, in: PipelineOptions.bodySizes, "largestDocument")
    fetcher.ownHeaders = try ownHeaders()
    if obeysRobots { fetcher.robotsName = ProductToken(userAgent: userAgent) }
  }

  private func setNetwork(of options: inout PipelineOptions) throws(HalyardError) {
    guard OwnHeaderRule.isOneLine(userAgent) else {
      throw Self.wrong("userAgent", "it has line ends or other control characters")
    }
    options.userAgent = userAgent
    if let proxy {
      if let problem = PipelineOptions.problem(ofProxy: proxy) { throw Self.wrong("proxy", problem) }
      options.proxy = proxy
    }
    if let authorities {
      guard CurlSettings.canTrust(file: authorities) else {
        throw Self.wrong("authorities '\(authorities)'", "it is not a PEM file of certificates")
      }
      options.authorities = authorities
    }
  }

  private func checkTimes() throws(HalyardError) {
    guard timeout.wholeMilliseconds > 0 else { throw Self.wrong("timeout", "it is not a millisecond") }
    guard hostDelay >= .zero else { throw Self.wrong("hostDelay", "it is below zero") }
    guard deadline.map({ $0.wholeMilliseconds > 0 }) ?? true else {
      throw Self.wrong("deadline", "it is not a millisecond")
    }
  }

  private func ownHeaders() throws(HalyardError) -> [HeaderField] {
    try headers.sorted { $0.key < $1.key }.map { (name, value) throws(HalyardError) in
      if let problem = OwnHeaderRule.problem(of: name, value) {
        throw Self.wrong("header '\(name)'", problem)
      }
      return HeaderField(name, value)
    }
  }

  private func allowed() throws(HalyardError) -> [AllowedAddress] {
    try allowedAddresses.map { (text) throws(HalyardError) in
      do throws(LinkError) {
        return try AllowedAddress(text)
      } catch {
        throw HalyardError(
          .invalidInput, at: .address, "settings: allowedAddresses '\(text)': \(error.message)")
      }
    }
  }

  /// Where answers are cached, and for how long; nil for not at all.
  func caching() throws(HalyardError) -> AnswerCaching? {
    guard let cache else { return nil }
    guard headers.isEmpty else {
      throw Self.wrong("cache", "what headers bring is for one user alone; give them to single calls")
    }
    let times = 1...CacheRule.longestMilliseconds
    guard [cache.answers, cache.failures].allSatisfy({ times.contains($0.wholeMilliseconds) }) else {
      throw Self.wrong("cache", "its times can be a millisecond to 30 days")
    }
    let rule = CacheRule(
      answersMilliseconds: cache.answers.wholeMilliseconds,
      failuresMilliseconds: cache.failures.wholeMilliseconds)
    let bytes = try Self.number(cache.mostBytes, in: 1_024...1 << 40, "cache.mostBytes")
    return AnswerCaching(in: MemoryResultCache(mostBytes: bytes), for: rule)
  }

  /// Checks how many calls can be unanswered, which the pipeline knows nothing of.
  static func checked(maxCalls: Int) throws(HalyardError) -> Int {
    try number(maxCalls, in: 1...10_000_000, "maxCalls")
  }

  private static func number(
    _ number: Int, in range: ClosedRange<Int64>, _ name: String
  ) throws(HalyardError) -> Int {
    guard range.contains(Int64(number)) else {
      throw wrong("\(name) is \(number)", "it can be \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func wrong(_ what: String, _ why: String) -> HalyardError {
    HalyardError(.invalidInput, at: .input, "settings: \(what): \(why)")
  }
}
