internal import Assembly
internal import FetchCurl
internal import LedgerMemory
internal import Links
internal import Pipeline
internal import Posix
internal import Roles

/// What a client that does the work itself may use of the network, and for how long.
public struct ClientSettings: Hashable, Sendable {
  /// Transfers at a time, 1 to 10,000.
  public var concurrency = 256
  /// Threads that fetch and decode, 1 to 256; they share the transfers. nil for one for each processor.
  public var threads: Int?
  /// Transfers at a time with one host, wherever links lead.
  public var perHost = 8
  /// The pause between two transfers with one host.
  public var hostDelay: Duration = .zero
  /// Redirects to follow for one link.
  public var maxHops = 20
  /// The time for one attempt, redirects included.
  public var timeout: Duration = .seconds(30)
  /// The time for one call, all its attempts and pauses included; nil for any.
  public var deadline: Duration?
  /// Calls that can be unanswered at a time, 1 to 10,000,000. Further ones fail at once, with an error that is retryable.
  public var maxCalls = 200_000
  /// Further attempts after a failure that may pass.
  public var retries = 3
  /// Failures in a row to reach a host until its calls fail at once for ten minutes, at least 1; nil for never.
  public var givesUpAfter: Int? = 15
  /// The User-Agent header of all requests. Without line ends and other control characters.
  public var userAgent = "halyard"
  /// Addresses to talk to besides public ones, such as `127.0.0.0/8`, or `127.0.0.1:8080` and `[::1]:8080` for one port
  /// alone: private, loopback and other special addresses are refused otherwise.
  public var allowedAddresses: [String] = []
  /// Headers such as `Authorization` or `Cookie`, for the link's own site: they are dropped where a redirect leaves it.
  public var headers: [String: String] = [:]
  /// Bytes to read of a page once decompressed, 1 KiB to 12 MiB; what follows is ignored.
  public var largestPage = 1 << 20
  /// Bytes a JSON document may have once decompressed, 1 KiB to 12 MiB; a larger one is ``HalyardError/Kind/bodyTooLarge``.
  public var largestDocument = 8 << 20
  /// Answers to keep in memory for later calls with the same link; nil for none.
  public var cache: Cache?
  /// Asks each site's robots.txt first, as `halyard --respect-robots` does.
  public var obeysRobots = false
  /// A proxy for everything: `http://`, `https://` or `socks5h://`. None is taken from the environment.
  public var proxy: String?
  /// A PEM file of certificates to trust instead of the system's.
  public var authorities: String?

  /// The defaults.
  public init() {}
}

extension ClientSettings {
  /// Answers that a client keeps as long as it lives, and how long they are as good as new ones.
  ///
  /// What depends on the moment or on who asks is not kept: failures that may pass, answers to calls with headers of their
  /// own, links with a password, and rows above 256 KiB. When an answer is too old, the server is asked whether it has changed.
  public struct Cache: Hashable, Sendable {
    /// How long an answer is good, up to 30 days.
    public var answers: Duration
    /// How long a lasting failure is, up to 30 days.
    public var failures: Duration
    /// What all answers may take; the oldest go first. There are at most 100,000.
    public var mostBytes = 64 << 20

    /// - Parameter failures: Nil for a tenth of the time for answers.
    public init(answers: Duration, failures: Duration? = nil) {
      self.answers = answers
      self.failures = failures ?? max(answers / 10, .milliseconds(1))
    }
  }
}

/// How a client reaches a fleet, which does the work as it was told when it was started.
public struct FleetSettings: Hashable, Sendable {
  /// How long the fleet may say nothing at all before its calls fail.
  public var timeout: Duration = .seconds(10)
  /// The time for one call, all its attempts and pauses included; nil for any.
  public var deadline: Duration?
  /// Calls that can be unanswered at a time, 1 to 10,000,000. Further ones fail at once, with an error that is retryable.
  public var maxCalls = 200_000
  /// Where this process takes answers from a fleet on another machine, such as `tcp://10.0.0.7:0`; nil for a fleet on
  /// this one.
  public var answersAt: String?
  /// Lets lanes leave this machine: without keys anyone on the way can read and forge everything.
  public var allowsInsecure = false

  /// The defaults.
  public init() {}
}

extension Duration {
  /// Whole milliseconds, as many as fit.
  var wholeMilliseconds: Int64 {
    let (seconds, rest) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, isStillTooLong) = product.addingReportingOverflow(rest)
    return isTooLong || isStillTooLong ? (seconds < 0 ? .min : .max) : sum
  }
}

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
