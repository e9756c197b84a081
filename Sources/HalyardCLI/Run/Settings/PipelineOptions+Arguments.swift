import Assembly
import FetchCurl
import Links
import Pipeline
import Posix
import Roles
import Scheduling

/// What a command's options mean for the roles and adapters.
extension PipelineOptions {
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init()
    threads = arguments[LinkOption.threads] ?? processors
    userAgent = arguments[LinkOption.userAgent]
    try setFetcher(arguments)
    roles.aggregator.perHost = arguments[LinkOption.perHost]
    roles.aggregator.hostDelayMilliseconds = arguments[LinkOption.hostDelay]
    roles.aggregator.retry = RetryRule(retries: UInt16(clamping: arguments[LinkOption.retries]))
    roles.aggregator.retryBudgetPercent = arguments[LinkOption.retryBudget]
    roles.aggregator.givesUpAfter = arguments[LinkOption.giveUp]
    except(arguments.hosts)
    allowed = Lock(try arguments.allowedAddresses())
    try setTrust(arguments)
  }

  private mutating func setFetcher(_ arguments: ParsedArguments) throws(UsageError) {
    var fetcher = FetcherSettings(concurrency: arguments[LinkOption.concurrency])
    fetcher.maxHops = arguments[LinkOption.maxHops]
    fetcher.timeoutMilliseconds = arguments[LinkOption.timeout]
    (fetcher.pageCapBytes, fetcher.dataCapBytes) = FindingSettings.caps(arguments)
    fetcher.method = arguments[RequestOption.method]
    fetcher.ownHeaders = try OwnHeaderText.headers(arguments)
    if arguments[LinkOption.respectRobots] { fetcher.robotsName = ProductToken(userAgent: userAgent) }
    roles.fetcher = fetcher
  }

  /// Lets hosts have settings of their own.
  private mutating func except(_ settings: [Setting]) {
    for setting in settings {
      guard let host = setting.host else { continue }
      switch setting.option {
      case LinkOption.userAgent.spec: roles.fetcher.hosts.userAgents[host] = setting.value.read()
      case RequestOption.header.spec: roles.fetcher.hosts.headers[host] = setting.value.read()
      case LinkOption.perHost.spec: roles.aggregator.hostPaces.atOnce[host] = setting.value.read()
      case LinkOption.hostDelay.spec: roles.aggregator.hostPaces.delays[host] = setting.value.read()
      default: break
      }
    }
  }

  /// What the options say about the way to servers and whom to trust.
  private mutating func setTrust(_ arguments: ParsedArguments) throws(UsageError) {
    verifiesTLS = !arguments[LinkOption.insecure]
    usesHTTP2 = !arguments[LinkOption.http1]
    nat64 = arguments[LinkOption.nat64Prefix]
    if let file = arguments[LinkOption.cacert] {
      try arguments.require(mayReadFile(file), of: LinkOption.cacert, "'\(file)' cannot be read")
      let need = "each from '-----BEGIN CERTIFICATE-----' on, and none broken"
      try arguments.require(
        CurlSettings.canTrust(file: file), of: LinkOption.cacert,
        "'\(file)' is not a PEM file of certificates, \(need)")
      authorities = file
    }
    proxy = arguments[LinkOption.proxy]
  }
}

extension ParsedArguments {
  /// Refuses options that were set when the fleet was started which a command is to use.
  func refuseFleetsOwn() throws(UsageError) {
    for option in command.options where option.marks.contains(.fleets) && isOnCommandLine(option) {
      let isUps = CommandTable.up.options.contains { $0.name == option.name }
      throw .badValue(
        option, "the fleet has its own; give it to 'halyard up'\(isUps ? "" : ", behind '--'")",
        command: command)
    }
  }

  /// Of the option, and of the files that it names as `@FILE`.
  func allowedAddresses() throws(UsageError) -> [AllowedAddress] {
    try ListFile.words(of: LinkOption.allowAddress, self, parsing(AllowedAddress.init) { $0.message })
  }
}
