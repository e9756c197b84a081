import ClockPosix
import FetchCurl
import Links
import Pipeline
import Posix
import Roles
import Scheduling

/// What a link command's options mean for the roles and adapters.
struct RunSettings {
  var pipeline = LocalPipeline.Settings()
  var curl: CurlSettings
  /// Those that `curl` may talk to though they are special ones.
  let allowed: AllowedAddresses
  var isOrdered = false
  var deadlineMilliseconds: Int64?

  init(_ arguments: ParsedArguments, clock: SystemClock) throws(UsageError) {
    allowed = AllowedAddresses(try AllowedAddresses.read(arguments))
    curl = CurlSettings(clock: clock, allowing: allowed)
    curl.userAgent = try Self.userAgent(arguments)
    try curl.setNetwork(arguments)
    if arguments[LinkOption.timeout] > LinkOption.timeout.fallback {
      curl.firstByteLimit = arguments[LinkOption.timeout]
    }
    curl.connections = arguments[LinkOption.concurrency]
    curl.idleConnections = arguments[LinkOption.concurrency]
    pipeline.fetcher = FetcherSettings(
      concurrency: arguments[LinkOption.concurrency], maxHops: arguments[LinkOption.maxHops],
      timeoutMilliseconds: arguments[LinkOption.timeout])
    (pipeline.fetcher.pageCapBytes, pipeline.fetcher.dataCapBytes) = FindingSettings.caps(arguments)
    pipeline.fetcher.method = arguments[RequestOption.method].method
    if arguments[LinkOption.respectRobots] {
      pipeline.fetcher.robotsName = ProductToken(userAgent: curl.userAgent)
    }
    pipeline.fetcher.ownHeaders = try OwnHeaderText.headers(arguments)
    pipeline.fetcher.hosts = HostRequests(arguments.hosts)
    curl.wireBodyCapBytes = max(
      curl.wireBodyCapBytes, pipeline.fetcher.dataCapBytes, pipeline.fetcher.pageCapBytes)
    pipeline.aggregator = AggregatorSettings(
      perHost: arguments[LinkOption.perHost], hostDelayMilliseconds: arguments[LinkOption.hostDelay],
      retry: RetryRule(retries: UInt16(clamping: arguments[LinkOption.retries])))
    pipeline.aggregator.hostPaces.except(arguments.hosts)
    pipeline.aggregator.retryBudgetPercent = arguments[LinkOption.retryBudget]
    pipeline.aggregator.givesUpAfter = arguments[LinkOption.giveUp]
    isOrdered = arguments[LinkOption.ordered]
    deadlineMilliseconds = arguments[LinkOption.deadline]
  }

  /// Options that a command with --fleet refuses: they were set when the fleet was started.
  static func refuseFleetsOwn(_ arguments: ParsedArguments) throws(UsageError) {
    let options =
      [
        LinkOption.concurrency.spec, LinkOption.perHost.spec, LinkOption.hostDelay.spec,
        LinkOption.maxHops.spec,
        LinkOption.timeout.spec, LinkOption.maxPage.spec, LinkOption.retries.spec,
        LinkOption.retryBudget.spec, LinkOption.giveUp.spec, LinkOption.userAgent.spec,
        LinkOption.allowAddress.spec, LinkOption.respectRobots.spec, LinkOption.ledger.spec,
      ] + LinkOption.network + RequestOption.all + CacheOption.all
    for option in options where arguments.isOnCommandLine(option) {
      let isUps = CommandTable.up.options.contains { $0.name == option.name }
      throw .badValue(
        option, "the fleet has its own; give it to 'halyard up'\(isUps ? "" : ", behind '--'")",
        command: arguments.command)
    }
  }

  /// Line ends would add headers of their own.
  static func check(userAgent text: String) throws(ValueProblem) {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw ValueProblem(words: "it holds a line end or another control character")
    }
  }

  private static func userAgent(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let text = arguments[LinkOption.userAgent]
    do {
      try check(userAgent: text)
    } catch {
      throw arguments.rejection(of: LinkOption.userAgent, error.words)
    }
    return text
  }
}

extension CurlSettings {
  /// Refuses special addresses and this machine's own, but for those allowed.
  init(clock: SystemClock, allowing allowed: AllowedAddresses) {
    let own = Reread([], every: 1_000) { interfaceAddresses().map { Set($0.compactMap { IPAddress($0) }) } }
    self.init(
      now: { clock.now },
      refusal: { AddressGuard(allowed: allowed.value) { own.value }.refusal(of: $0, port: $1) })
  }
}
