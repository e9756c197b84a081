import Assembly
import FetchCurl
import Links
import Pipeline
import Posix
import Roles
import Scheduling

/// What a command's options mean for the roles and adapters.
struct RunSettings {
  let pipeline: PipelineOptions
  let isOrdered: Bool
  let deadlineMilliseconds: Int64?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var pipeline = PipelineOptions()
    pipeline.concurrency = arguments[LinkOption.concurrency]
    pipeline.threads = arguments[LinkOption.threads] ?? processors
    pipeline.hostPaces = HostPaces(
      HostPace(atOnce: arguments[LinkOption.perHost], delayMilliseconds: arguments[LinkOption.hostDelay]))
    pipeline.hostPaces.except(arguments.hosts)
    pipeline.retries = arguments[LinkOption.retries]
    pipeline.retryBudgetPercent = arguments[LinkOption.retryBudget]
    pipeline.givesUpAfter = arguments[LinkOption.giveUp]
    pipeline.maxHops = arguments[LinkOption.maxHops]
    pipeline.timeoutMilliseconds = arguments[LinkOption.timeout]
    (pipeline.pageCapBytes, pipeline.dataCapBytes) = FindingSettings.caps(arguments)
    pipeline.method = arguments[RequestOption.method]
    pipeline.ownHeaders = try OwnHeaderText.headers(arguments)
    pipeline.hosts = HostRequests(arguments.hosts)
    pipeline.obeysRobots = arguments[LinkOption.respectRobots]
    pipeline.userAgent = arguments[LinkOption.userAgent]
    pipeline.allowed = AllowedAddresses(try AllowedAddresses.read(arguments))
    try pipeline.setTrust(arguments)
    self.pipeline = pipeline
    isOrdered = arguments[LinkOption.ordered]
    deadlineMilliseconds = arguments[LinkOption.deadline]
  }

  /// Options that a command with --fleet refuses: they were set when the fleet was started.
  static func refuseFleetsOwn(_ arguments: ParsedArguments) throws(UsageError) {
    for option in arguments.command.options
    where option.marks.contains(.fleets) && arguments.isOnCommandLine(option) {
      let isUps = CommandTable.up.options.contains { $0.name == option.name }
      throw .badValue(
        option, "the fleet has its own; give it to 'halyard up'\(isUps ? "" : ", behind '--'")",
        command: arguments.command)
    }
  }
}

extension PipelineOptions {
  /// What the options say about the way to servers and whom to trust.
  mutating func setTrust(_ arguments: ParsedArguments) throws(UsageError) {
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

extension AllowedAddresses {
  /// Reads the option, and the files that it names as `@FILE`.
  static func read(_ arguments: ParsedArguments) throws(UsageError) -> [AllowedAddress] {
    try ListFile.words(
      of: LinkOption.allowAddress, arguments, parsing(AllowedAddress.init) { $0.message })
  }

  /// The addresses as they are written, those of files in their place.
  static func texts(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    try ListFile.texts(of: LinkOption.allowAddress, arguments)
  }
}
