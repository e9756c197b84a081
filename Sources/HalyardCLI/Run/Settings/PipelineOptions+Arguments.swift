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
    concurrency = arguments[LinkOption.concurrency]
    threads = arguments[LinkOption.threads] ?? processors
    hostPaces = HostPaces(
      HostPace(atOnce: arguments[LinkOption.perHost], delayMilliseconds: arguments[LinkOption.hostDelay]))
    retries = arguments[LinkOption.retries]
    retryBudgetPercent = arguments[LinkOption.retryBudget]
    givesUpAfter = arguments[LinkOption.giveUp]
    maxHops = arguments[LinkOption.maxHops]
    timeoutMilliseconds = arguments[LinkOption.timeout]
    (pageCapBytes, dataCapBytes) = FindingSettings.caps(arguments)
    method = arguments[RequestOption.method]
    ownHeaders = try OwnHeaderText.headers(arguments)
    except(arguments.hosts)
    obeysRobots = arguments[LinkOption.respectRobots]
    userAgent = arguments[LinkOption.userAgent]
    allowed = AllowedAddresses(try AllowedAddresses.read(arguments))
    try setTrust(arguments)
  }

  /// Lets hosts have settings of their own.
  private mutating func except(_ settings: [HostSetting]) {
    for setting in settings {
      let host = setting.host
      if let text = setting.value(of: LinkOption.userAgent) { hosts.userAgents[host] = text }
      if let texts = setting.value(of: RequestOption.header) {
        hosts.headers[host] = texts.compactMap { try? OwnHeaderText.header($0) }
      }
      if let number = setting.value(of: LinkOption.perHost) { hostPaces.atOnce[host] = number }
      if let time = setting.value(of: LinkOption.hostDelay) { hostPaces.delays[host] = time }
    }
  }

  /// What the options say about the way to servers and whom to trust.
  private mutating func setTrust(_ arguments: ParsedArguments) throws(UsageError) {
    verifiesTLS = !arguments[LinkOption.insecure]
    usesHTTP2 = !arguments[LinkOption.http1]
    nat64 = arguments[LinkOption.nat64Prefix]
    if let file = arguments[LinkOption.cacert] {
      guard mayReadFile(file) else {
        throw arguments.rejection(of: LinkOption.cacert, "'\(file)' cannot be read")
      }
      guard CurlSettings.canTrust(file: file) else {
        let need = "each from '-----BEGIN CERTIFICATE-----' on, and none broken"
        throw arguments.rejection(
          of: LinkOption.cacert, "'\(file)' is not a PEM file of certificates, \(need)")
      }
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
}

extension AllowedAddresses {
  /// Reads the option, and the files that it names as `@FILE`.
  static func read(_ arguments: ParsedArguments) throws(UsageError) -> [AllowedAddress] {
    try ListFile.words(
      of: LinkOption.allowAddress, arguments, parsing(AllowedAddress.init) { $0.message })
  }
}
