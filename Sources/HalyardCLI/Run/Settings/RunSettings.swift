import Assembly
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
    pipeline.method = arguments[RequestOption.method].method
    pipeline.ownHeaders = try OwnHeaderText.headers(arguments)
    pipeline.hosts = HostRequests(arguments.hosts)
    pipeline.obeysRobots = arguments[LinkOption.respectRobots]
    pipeline.userAgent = try Self.userAgent(arguments)
    pipeline.allowed = AllowedAddresses(try AllowedAddresses.read(arguments))
    try pipeline.setTrust(arguments)
    self.pipeline = pipeline
    isOrdered = arguments[LinkOption.ordered]
    deadlineMilliseconds = arguments[LinkOption.deadline]
  }

  /// Options that a command with --fleet refuses: they were set when the fleet was started.
  static func refuseFleetsOwn(_ arguments: ParsedArguments) throws(UsageError) {
    let options =
      [
        LinkOption.concurrency.spec, LinkOption.threads.spec, LinkOption.perHost.spec,
        LinkOption.hostDelay.spec,
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
