import Assembly
import FetchCurl
import HalyardConcurrency
import LedgerSQLite
import Links
import Pipeline
import Posix
import Roles

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

/// Reads the headers and cookies that a user wants to send.
enum OwnHeaderText {
  static func headers(_ arguments: ParsedArguments) throws(UsageError) -> [HeaderField] {
    let headers = try ListFile.words(of: RequestOption.header, arguments, header)
    let cookies = try ListFile.words(of: RequestOption.cookie, arguments, cookie)
    return cookies.isEmpty ? headers : headers + [HeaderField("Cookie", cookies.joined(separator: "; "))]
  }

  /// Headers that are written in a file of settings, read and in one form.
  static let kind: OptionKind = {
    @Sendable func spelling(_ field: HeaderField) -> String { "\(field.name): \(field.value)" }
    var kind = OptionKind(.fields, header, spelling: spelling)
    kind.readMember = { name, text throws(ValueProblem) in
      let field = try header(name, text)
      return OptionValue(spelling(field), for: field)
    }
    return kind
  }()

  static func header(_ text: String) throws(ValueProblem) -> HeaderField {
    try checkControls(in: text)
    guard let colon = text.firstIndex(of: ":") else {
      throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form 'Name: value'")
    }
    return try header(String(text[..<colon]), text[text.index(after: colon)...])
  }

  static func header(_ name: String, _ value: some StringProtocol) throws(ValueProblem) -> HeaderField {
    try checkControls(in: String(value))
    guard OwnHeaderRule.isToken(name) else {
      throw ValueProblem(words: "\(Printable.quoted(name)) is not the name of a header")
    }
    guard !OwnHeaderRule.isReserved(name) else {
      throw ValueProblem(words: "'\(name)' is not for users to set")
    }
    return HeaderField(name, value.trimmingSpaces())
  }

  static func cookie(_ text: String) throws(ValueProblem) -> String {
    try checkControls(in: text)
    let name = text.prefix { $0 != "=" }
    guard name.utf8.count < text.utf8.count, OwnHeaderRule.isToken(name), !text.contains(";")
    else { throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form name=value") }
    return text
  }

  private static func checkControls(in text: String) throws(ValueProblem) {
    guard OwnHeaderRule.isOneLine(text) else {
      throw ValueProblem(words: "it holds a line end or another control character")
    }
  }
}

extension CacheRule {
  /// How long findings are kept for later runs; nil when every link is fetched.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let time = arguments[CacheOption.cache], time > 0 else {
      try arguments.refuse(
        [OptionSpec](CacheOption.failures, CacheOption.file), "nothing is kept without --cache TIME")
      return nil
    }
    let own = [RequestOption.header, RequestOption.cookie].filter { arguments.isSet($0) }
    guard own.isEmpty else {
      guard let option = own.first, arguments.isOnCommandLine(CacheOption.cache) else { return nil }
      throw arguments.rejection(
        of: CacheOption.cache, "what \(option.flag) brings is for one user alone, and is not kept")
    }
    let failures = arguments[CacheOption.failures]
    self =
      failures.map { CacheRule(answersMilliseconds: time, failuresMilliseconds: $0) }
      ?? CacheRule(answersMilliseconds: time)
  }
}

/// Whether findings are kept for later runs, and where.
struct LinkCache: Sendable {
  private let rule: CacheRule
  /// nil when findings are kept in the ledger.
  private let path: String?
  /// Created if it is missing.
  private let directory: String?
  private let settings: UInt64

  /// - Parameters:
  ///   - file: The file that `--cache-file` names.
  ///   - hasLedger: There is one to keep findings in.
  init?(_ arguments: ParsedArguments, file: String?, hasLedger: Bool) throws(UsageError) {
    guard let rule = try CacheRule(arguments) else { return nil }
    self.rule = rule
    settings = FindingSettings.hash(arguments)
    let own = file == nil && !hasLedger ? try Self.defaultDirectory(arguments) : nil
    directory = own
    path = file ?? own.map { "\($0)/results.db" }
  }

  /// Runs `body` with the findings at hand, or with nil when the user's own cache cannot be used: it is to make runs faster,
  /// not to end them.
  func with<Answer>(
    _ ledger: SQLiteLedger?, _ body: (AnswerCaching?) async throws -> Answer
  ) async throws -> Answer {
    guard let path else {
      guard let ledger else {
        throw LedgerError("open cache: there is no ledger for it; name a --cache-file")
      }
      return try await body(AnswerCaching(in: ledger, for: rule, settings: settings))
    }
    guard let own = try await open(path) else { return try await body(nil) }
    return try await withCleanup {
      try await body(AnswerCaching(in: own, for: rule, settings: settings))
    } cleanup: {
      guard let fault = await own.close() else { return }
      Message.show("halyard: \(fault.message)\nhalyard: not all findings of this run are kept\n")
    }
  }

  private func open(_ path: String) async throws -> SQLiteResultCache? {
    if let directory {
      do {
        _ = try SafeDirectory(directory, making: .all)
      } catch {
        Message.show(
          "halyard: \(error.message)\nhalyard: this run goes on without a cache; or use --cache-file\n")
        return nil
      }
    }
    do {
      return try await SQLiteResultCache.open(path: path)
    } catch {
      guard directory != nil else { throw error }
      Message.show(
        "halyard: \(error.message)\nhalyard: this run goes on without it; move the file away, or use --cache-file\n"
      )
      return nil
    }
  }

  private static func defaultDirectory(_ arguments: ParsedArguments) throws(UsageError) -> String {
    guard let directory = UserDirectory.cache.path(arguments.environment) else {
      throw arguments.rejection(
        of: CacheOption.cache, "there is no home directory to keep findings in; name a --cache-file")
    }
    return directory
  }
}

/// Keeps transfers to the files that may be open.
enum DescriptorRoom {
  /// With fewer, what the program itself opens leaves nothing for a transfer.
  private static let fewest = 32
  /// Each lane between the processes of a fleet takes several.
  static let fewestOfFleet = 64

  static func check(for command: CommandSpec) throws(TooFewDescriptors) {
    guard !CommandTable.needFewDescriptors.contains(command) else { return }
    let fleet = [CommandTable.up] + CommandTable.workers
    let needed = fleet.contains(command) ? fewestOfFleet : fewest
    guard let limit = raiseDescriptorLimit(to: needed), limit < needed else { return }
    throw TooFewDescriptors(limit: limit, needed: needed)
  }

  static func tell(_ connections: Int, _ wanted: Int, _ files: Int) {
    Message.show(
      "halyard: \(connections) transfers at a time, not \(wanted): only \(files) files may be open (ulimit -n)\n"
    )
  }
}

/// The process may open too few files to work at all.
struct TooFewDescriptors: Error {
  var limit: Int
  var needed: Int

  var rendered: String {
    """
    halyard: only \(limit) files may be open, and at least \(needed) are needed
    try:   ulimit -n 1024   (root can, where the shell refuses)

    """
  }
}
