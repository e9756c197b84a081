import JSONQuery
import Links
import Pipeline
import Posix
import Roles

/// The commands `pause` and `resume`.
struct PauseCommand {
  private let arguments: ParsedArguments
  private let scope: PauseScope
  private let fleet: FleetLinkPlan
  /// nil to resume.
  private let pause: Pause?

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    scope = try Self.scope(arguments)
    pause =
      arguments.command == CommandTable.pause
      ? Pause(
        by: Self.author(arguments.environment), reason: arguments[SharingOption.reason],
        lastsMilliseconds: arguments[SharingOption.pauseTime]) : nil
    self.fleet = fleet
  }

  /// Services have neither variable.
  static func author(_ environment: [String: String]) -> String {
    let user = environment["USER"] ?? environment["LOGNAME"] ?? userName ?? "user \(userID)"
    return "\(user)@\(hostName)"
  }

  private static func scope(_ arguments: ParsedArguments) throws(UsageError) -> PauseScope {
    let host = try arguments.hostKey(SharingOption.host)
    switch (BatchText(arguments), host, arguments[SharingOption.all]) {
    case (let batch?, nil, false): return .batch(batch.id)
    case (nil, let host?, false): return .host(host)
    case (nil, nil, true): return .all
    case (nil, nil, false):
      throw UsageError("no batch given, and neither --host nor --all", command: arguments.command)
    default:
      throw UsageError("a batch, --host and --all exclude one another", command: arguments.command)
    }
  }

  func run() async throws -> ExitCode {
    let state = "\(subject) is \(isPause ? "paused" : "resumed")"
    let end = try await fleet.changing(state, see: ["status"]) { link in
      if let batch = BatchText(arguments), try await link.client.progress(of: batch.id) == nil {
        throw batch.unknown
      }
      return try await link.client.ask(PauseOrder(pause, of: scope))
    }
    guard let end else { return .unreachable }
    guard end.isPaused == isPause else {
      Message.show("halyard: too many hosts are paused; resume some, or pause everything\n")
      return .someFailed
    }
    return try arguments.show(json: json(end), text: "\(words(wasChanged: end.wasChanged))\n")
  }

  private var isPause: Bool { pause != nil }

  private var subject: String {
    switch scope {
    case .all: "everything"
    case .host(let host): "host \(Printable.text(host))"
    case .batch: "batch \(Printable.text(arguments.operands.first ?? ""))"
    }
  }

  private func words(wasChanged: Bool) -> String {
    let time = pause?.lastsMilliseconds.map { " for \(Quantity.duration($0))" } ?? ""
    return switch (isPause, wasChanged) {
    case (true, true): "\(subject) is paused\(time)"
    case (true, false): "\(subject) was paused already\(time.isEmpty ? "" : "; it is now\(time)")"
    case (false, true): "\(subject) is resumed"
    case (false, false):
      switch scope {
      case .all: "there was no pause of everything"
      case .host: "\(subject) was not paused; if it was given up, its next job is tried"
      case .batch: "\(subject) was not paused"
      }
    }
  }

  private func json(_ end: PauseOrder.Reply) -> [UInt8] {
    JSONWriter.line { line in
      switch scope {
      case .all: line.member("all", true)
      case .host(let host): line.member("host", host)
      case .batch(let batch): line.member("batch", batch.description)
      }
      line.member("paused", end.isPaused)
      line.member("changed", end.wasChanged)
      if let milliseconds = pause?.lastsMilliseconds { line.member("for_ms", milliseconds) }
      line.member("by", pause?.by)
      line.member("reason", pause?.reason)
    }
  }
}

/// A pause in words.
struct PauseText {
  /// Such as `host a.test`.
  let subject: String
  /// The command that ends it.
  let resume: String
  private let since: String?
  private let until: String?
  private let author: String?
  private let reason: String?

  init(_ known: KnownPause) {
    let resumed: String
    switch known.scope {
    case .all: (subject, resumed) = ("everything", "--all")
    case .host(let host): (subject, resumed) = ("host \(host)", "--host \(ShellWord.quoted(host))")
    case .batch(let batch): (subject, resumed) = ("the batch", "\(batch)")
    }
    resume = "halyard resume \(resumed)"
    (since, until) = (known.pause.at.timestamp, known.pause.until?.timestamp)
    (author, reason) = (known.pause.by, known.pause.reason)
  }

  /// - Parameter names: Of batches, by id.
  init(_ pause: JSONValue, names: [String: String]) {
    if let host = pause["host"]?.string {
      (subject, resume) = ("host \(host)", "halyard resume --host \(ShellWord.quoted(host))")
    } else if let id = pause["batch"]?.string {
      let name = names[id] ?? id
      (subject, resume) = ("batch \(name)", "halyard resume \(ShellWord.quoted(name))")
    } else {
      (subject, resume) = ("everything", "halyard resume --all")
    }
    (since, until) = (pause["since"]?.string, pause["until"]?.string)
    (author, reason) = (pause["by"]?.string, pause["reason"]?.string)
  }

  /// Such as ` since 2026-11-26T10:00:00Z until 2026-11-26T11:00:00Z by ann@box: its owner asked for it`.
  var circumstances: String {
    (since.map { " since \(Self.short($0))" } ?? "") + (until.map { " until \(Self.short($0))" } ?? "")
      + (author.map { " by \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
  }

  /// For those who wait behind it.
  var notice: String {
    "halyard: \(Printable.text(subject)) is paused\(Printable.text(circumstances)); '\(Printable.text(resume))' ends that\n"
  }

  /// A timestamp without its milliseconds.
  private static func short(_ timestamp: String) -> String {
    timestamp.split(separator: ".").first.map { $0.hasSuffix("Z") ? String($0) : "\($0)Z" } ?? timestamp
  }
}

/// The command `change`: other terms for a batch that is there.
struct ChangeCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  private let terms: BatchTerms
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    terms = try TermsText.terms(arguments, at: Moment(unixMilliseconds: SystemTime.unixMilliseconds))
    try arguments.require(
      terms != BatchTerms(), "nothing to change; give --priority, --at-most, --rate or --at")
    (self.arguments, batch, self.fleet) = (arguments, BatchText(arguments.operands[0]), fleet)
  }

  func run() async throws -> ExitCode {
    let state = "batch \(Printable.text(arguments.operands[0])) is changed"
    let isKnown = try await fleet.changing(state, see: ["batches", "--limit", "20"]) {
      try await $0.client.ask(ChangeOrder(batch.id, terms))
    }
    guard let isKnown else { return .unreachable }
    guard isKnown else { throw batch.unknown }
    let json = JSONWriter.line(of: OfBatch(batch: batch.id, report: TermsReport(terms)))
    return try arguments.show(json: json, text: "\(state)\n")
  }
}

/// What a user asks of a batch as a whole, read from the options of `submit`.
enum TermsText {
  /// - Parameter now: By the clock of this machine.
  static func terms(_ arguments: ParsedArguments, at now: Moment) throws(UsageError) -> BatchTerms {
    var terms = BatchTerms(name: arguments[FleetOption.name])
    terms.weight = arguments[SharingOption.priority]
    terms.atMost = arguments[SharingOption.atMost].map { UInt32(clamping: $0) }
    terms.perHour = arguments[SharingOption.rate]
    terms.startsAt = try moment(SharingOption.at, arguments, at: now)
    terms.deadline = try moment(SharingOption.finishBy, arguments, at: now)
    guard let deadline = terms.deadline else { return terms }
    try arguments.require(deadline > now, of: SharingOption.finishBy, "it is over already")
    try arguments.require(
      deadline > terms.startsAt ?? now, of: SharingOption.finishBy, "it is not after --at")
    return terms
  }

  private static func moment(
    _ option: Option<String?>, _ arguments: ParsedArguments, at now: Moment
  ) throws(UsageError) -> Moment? {
    guard let text = arguments[option] else { return nil }
    guard let moment = moment(text, at: now) else {
      throw arguments.rejection(
        of: option, "'\(text)' is not a time such as 2026-12-24T18:00:00Z, 18:00 or +2h")
    }
    return moment
  }

  /// A moment as RFC 3339 writes it, the next time that clocks show so late here, or so long from now on.
  static func moment(_ text: String, at now: Moment) -> Moment? {
    if text.hasPrefix("+") {
      return Quantity.milliseconds(String(text.dropFirst())).map { now.advanced(byMilliseconds: $0) }
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int32(parts[0]),
      let minute = Int32(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    {
      let seconds = SystemTime.next(hour: hour, minute: minute, after: now.unixMilliseconds / 1_000)
      return Moment(unixMilliseconds: seconds * 1_000)
    }
    return Moment(timestamp: text)
  }
}
