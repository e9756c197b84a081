import JSONQuery
import Pipeline
import Posix
import Roles

struct SubmitCommand {
  private let arguments: ParsedArguments
  private let input: InputPlan
  private let selection: LinkSelection
  private let kind: JobKind
  private let batch: BatchID
  private let terms: BatchTerms
  private let fleet: FleetLinkPlan
  /// Where the batch is named; standard output, except in tests.
  var print: @Sendable ([UInt8]) throws -> Void = { try DescriptorSink().write($0) }
  /// Standard error, likewise.
  var tell: @Sendable (String) -> Void = Message.show

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    input = try InputPlan(arguments)
    try input.refuseFiles(arguments.command)
    selection = try LinkSelection(arguments)
    kind = arguments[FleetOption.kind]
    batch = try Self.batch(arguments)
    terms = try TermsText.terms(arguments, at: Moment(unixMilliseconds: SystemTime.unixMilliseconds))
    self.fleet = fleet
  }

  private static func batch(_ arguments: ParsedArguments) throws(UsageError) -> BatchID {
    let batch = arguments[FleetOption.batch]
    guard let name = arguments[FleetOption.name] else {
      return batch ?? BatchID(.random(at: Moment(unixMilliseconds: SystemTime.unixMilliseconds)))
    }
    try arguments.require(batch == nil, "--batch and --name are two ways to say one thing")
    try arguments.require(
      !name.isEmpty && Printable.text(name) == name, of: FleetOption.name,
      "it has to be text that can be seen")
    return BatchText.id(named: name)
  }

  func run() async throws -> ExitCode {
    let feed = SubmittedFeed(
      try InputFeed(input, kind: kind, reading: LinkOption.reading(arguments), selection: selection))
    guard try await feed.open() else {
      let leftOut = feed.leftOut.isEmpty ? "" : ": \(feed.leftOut.words)"
      throw InputError(input.name, "no jobs in the input\(leftOut)")
    }
    let end = try await submit(feed)
    Console.standardError.clear()
    return try report(end, placing: feed.place)
  }

  private func submit(_ feed: SubmittedFeed) async throws -> SubmissionEnd {
    let width = arguments.progressWidth()
    let startedAt = SystemTime.monotonicMicroseconds
    var settings = ProducerSettings(batch: batch, deadlineMilliseconds: arguments[LinkOption.deadline])
    settings.collectsRows = false
    settings.terms = terms
    return try await fleet.withLink { [settings] link in
      // A receipt that got lost says of jobs that are sent again that they were there.
      let isNew = try await link.client.progress(of: settings.batch) == nil
      let producer = link.producer(settings)
      let user = PipelineRun.User(
        take: { _ in },
        tick: {
          guard let width else { return }
          let counts = ProgressCounts(total: feed.total, done: Int(clamping: await producer.submitted))
          let elapsed = (SystemTime.monotonicMicroseconds - startedAt) / 1_000
          Console.standardError.draw {
            ProgressLine.render(counts, elapsedMilliseconds: elapsed, width: width)
          }
        })
      do {
        let signal = try await link.run(producer, feed, for: user)
        let progress = signal == nil ? try await link.follower.progress(of: settings.batch) : nil
        return SubmissionEnd(
          signal: signal, jobs: await producer.submitted, confirmed: await producer.confirmed,
          new: await isNew ? producer.confirmed : producer.inserted, leftOut: feed.leftOut,
          differing: await producer.differing,
          inFleet: progress?.total, cancelled: progress?.cancelled ?? 0)
      } catch let error as SubmissionRefused where error.exitCode == .badInput {
        tell("halyard: \(Printable.text(error.failure.message))\n\(otherName)")
        return SubmissionEnd(isRefused: true)
      } catch {
        let mended = error is InputError ? ", with the input mended," : ""
        tell("halyard: not all is submitted; \(unfinished(await producer.confirmed, remedy + mended))")
        throw error
      }
    }
  }

  /// - Parameter place: How messages name the place of a job.
  func report(_ end: SubmissionEnd, placing place: (UInt64) -> String) throws -> ExitCode {
    if end.isRefused { return .badInput }
    if let signal = end.signal {
      tell("halyard: interrupted; \(unfinished(end.confirmed, remedy))")
      return ExitCode(endedBy: signal)
    }
    if arguments[FleetOption.json] {
      try print(end.json(batch))
    } else if end.differing == nil {
      try print(Array("\(batch)\n".utf8))
    }
    if let differing = end.differing {
      tell(complaint(differing, at: place(differing.first)))
      return .badInput
    }
    if let inFleet = end.inFleet, inFleet > end.jobs {
      tell(
        "halyard: the batch \(batchName) has \(Counted.jobs(inFleet)), and this list \(end.jobs)\n\(otherName)"
      )
      return .badInput
    }
    if !arguments[FleetOption.json], !arguments[LinkOption.quiet] {
      let leftOut = end.leftOut.isEmpty ? "" : "; \(end.leftOut.words)"
      tell(
        "halyard: \(Counted.jobs(end.jobs)) submitted\(end.known)\(leftOut)\n"
          + next("results", arguments[FleetOption.name] ?? "\(batch)", "--follow"))
    }
    if end.cancelled > 0 {
      tell(
        "halyard: \(Counted.jobs(end.cancelled)) of the batch \(batchName) will not run, because it was cancelled\n"
          + "try:   the same list under another --name\n")
    }
    return .ok
  }

  private var next: NextCommand { NextCommand(after: arguments) }

  /// The command that continues an interrupted submission.
  private var remedy: String {
    let isNamed = arguments[FleetOption.name] != nil || arguments[FleetOption.batch] != nil
    return isNamed ? "the same command again" : "the same again with --batch \(batch)"
  }

  /// What becomes of a batch of which the rest did not come, and what can be done.
  private func unfinished(_ confirmed: UInt64, _ remedy: String) -> String {
    // The fleet may not know the batch.
    guard confirmed > 0 else { return "no job is confirmed, and \(remedy) submits each of them once\n" }
    return """
      \(Counted.jobs(confirmed)) confirmed, which go on, and \(remedy) adds the rest; the batch \(batchName) stays open for \
      ten minutes, or what the fleet's --abandon-after says

      """ + next("cancel", arguments[FleetOption.name] ?? "\(batch)")
  }

  private func complaint(_ differing: DifferingJobs, at place: String) -> String {
    let words = differing.count == 1 ? "1 job is" : "\(differing.count) jobs are"
    return """
      halyard: \(words) not what the batch \(batchName) has in the same place (another link, or other options such as \
      --kind), so nothing was changed; the first is \(place)\(input.sources.count == 1 ? " of \(Printable.text(input.name))" : "")
      \(otherName)
      """
  }

  private var batchName: String {
    arguments[FleetOption.name].map { "'\(Printable.text($0))'" } ?? "\(batch)"
  }

  private let otherName = "try:   another --name for another list, or for other options\n"
}

struct SubmissionEnd: Sendable {
  var signal: Int32?
  var jobs: UInt64 = 0
  var confirmed: UInt64 = 0
  var new: UInt64 = 0
  /// Links that got no job.
  var leftOut = LinkSelection.LeftOut()
  var differing: DifferingJobs?
  /// How many jobs the fleet has of the batch.
  var inFleet: UInt64?
  /// How many jobs of the batch the fleet has cancelled.
  var cancelled: UInt64 = 0
  var isRefused = false

  /// How many of them the fleet had from before.
  var known: String { new < jobs ? ": \(new) new, \(jobs - new) known already" : "" }

  func json(_ batch: BatchID) -> [UInt8] {
    JSONWriter.line { line in
      line.member("batch", batch.description)
      for (name, count) in [("jobs", jobs), ("new", new), ("differing", UInt64(differing?.count ?? 0))] {
        line.member(name, count)
      }
      if !leftOut.isEmpty {
        line.member("excluded", leftOut.excluded)
        line.member("duplicates", leftOut.duplicates)
        line.member("relative", leftOut.relative)
      }
    }
  }
}

/// The input of a submission: tells whether there is any before a batch is made, and on which line a job stands.
final class SubmittedFeed: JobFeed {
  private struct State {
    var first: [JobDraft]?
    var lines = LineMap()
  }

  private let input: InputFeed
  private let state = Lock(State())

  init(_ input: InputFeed) {
    self.input = input
  }

  var total: ProgressCounts.Total { input.total }
  var leftOut: LinkSelection.LeftOut { input.leftOut }

  /// - Returns: False when the input is empty.
  func open() async throws -> Bool {
    try await input.open(before: [.standardOutput])
    guard let first = try await input.next(atMost: 1) else { return false }
    state.withLock { $0.first = first }
    return true
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    var burst = state.withLock { $0.first.take() }
    if burst == nil { burst = try await input.next(atMost: limit) }
    guard let burst else { return nil }
    state.withLock { state in
      for job in burst { state.lines.add(line: job.line, source: job.source) }
    }
    return burst
  }

  /// How messages name the place of a job in the batch.
  func place(of ordinal: UInt64) -> String {
    let (line, source) = state.withLock { $0.lines.place(of: ordinal) }
    return input.plan.place(line: line, source: source)
  }
}

/// Which line of which source each job stands on. Most follow each other, so only the others are kept. A pure value.
struct LineMap {
  private var count: UInt64 = 0
  /// The first jobs of runs of lines.
  private var starts: [(ordinal: UInt64, line: Int, source: Int)] = []

  mutating func add(line: Int, source: Int = 0) {
    if starts.isEmpty || place(of: count) != (line, source) { starts.append((count, line, source)) }
    count += 1
  }

  func place(of ordinal: UInt64) -> (line: Int, source: Int) {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return (Int(clamping: ordinal) + 1, 0) }
    let start = starts[low - 1]
    return (start.line + Int(clamping: ordinal - start.ordinal), start.source)
  }
}
