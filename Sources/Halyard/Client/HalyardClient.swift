internal import Assembly
internal import JSONQuery
package import Pipeline
internal import Roles

/// Unfurls links, reads titles and decodes data, in this process or by a fleet.
///
/// A client is made once and used by any number of tasks at the same time. Its first call starts the pipeline behind it,
/// which lives until ``shutdown()``, or until the client and all its calls are gone.
///
/// ```swift
/// let client = HalyardClient()
/// let page = try await client.title("https://www.swift.org").get()
/// print(page.title)
/// await client.shutdown()
/// ```
///
/// Every call gets exactly one answer: a value or a ``HalyardError``, also when it is cancelled, the client is shut down,
/// or the fleet says nothing. When the pipeline behind it fails, so do the calls under way, and the next one starts it anew.
public final class HalyardClient: Sendable {
  let core: CallCore
  let observers: [any CallObserver]

  /// Does the work in this process, with the defaults of all settings.
  public convenience init() {
    do {
      try self.init(ClientSettings())
    } catch {
      preconditionFailure("the defaults cannot be wrong: \(error)")
    }
  }

  /// Does the work in this process.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when a setting cannot be.
  ///
  /// - Parameter observers: What logs, measures or traces the calls.
  public convenience init(
    _ settings: ClientSettings, observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(
      settings.backend(log: ObserverLog.log(for: observers)), settings.maxCalls, observers)
  }

  /// Does the work in this process, and fetches by your own means. The product `HalyardTesting` has some for tests.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when a setting cannot be.
  ///
  /// - Parameter observers: What logs, measures or traces the calls.
  public convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any WebFetching,
    observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(settings, fetching: WebFetchingPort(web: fetching), observers: observers)
  }

  /// For tests: fetches by `fetching`.
  package convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any Fetching, observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(
      settings.backend(fetching, log: ObserverLog.log(for: observers)), settings.maxCalls, observers)
  }

  init(_ backend: any CallBackend, _ maxCalls: Int, _ observers: [any CallObserver]) throws(HalyardError) {
    core = CallCore(backend, maxCalls: try ClientSettings.checked(maxCalls: maxCalls))
    self.observers = observers
  }

  deinit {
    core.stop()
  }

  /// Ends the client: calls under way are answered ``HalyardError/Kind/cancelled`` and their work ends too, and so is
  /// every later call. Returns when all of it has ended, after two seconds at most when a fleet does not answer.
  public func shutdown() async {
    await core.stop()?.ended()
  }
}

/// One call as observers see it: it begins once, and ends once.
struct Observation: Sendable {
  private let start = ContinuousClock.now
  private let ends: [CallObserver.CallEnd]

  /// nil when no one waits for the end.
  init?(of draft: JobDraft, by observers: [any CallObserver]) {
    guard !observers.isEmpty else { return nil }
    let call = ObservedCall(kind: ObservedCall.Kind(rawValue: draft.kind.name), link: draft.input ?? "")
    ends = observers.compactMap { $0.callBegan(call) }
    guard !ends.isEmpty else { return nil }
  }

  func end(_ report: CallReport) {
    var report = report
    report.duration = ContinuousClock.now - start
    for end in ends { end(report) }
  }
}

extension CallReport {
  /// What a row says of the way, whatever is read from it.
  mutating func note(_ row: AnswerRow) {
    (url, status, isCached) = (row["url"]?.string, row.optionalNumber("http_status"), row.age != nil)
  }

  /// - Parameter result: The result that the caller gets.
  func of(_ result: Result<some Sendable, HalyardError>) -> CallReport {
    guard case .failure(let error) = result else { return self }
    var report = self
    (report.error, report.url, report.status) = (error, error.url ?? url, error.status ?? status)
    return report
  }
}

/// The pipeline's way to observers.
struct ObserverLog: Log {
  let observers: [any CallObserver]

  /// Nothing is recorded when no one looks.
  static func log(for observers: [any CallObserver]) -> any Log {
    observers.isEmpty ? NoLog() : ObserverLog(observers: observers)
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    let note = PipelineNote(
      PipelineNote.Level(rawValue: level.rawValue) ?? .info, "\(message)",
      metadata: Dictionary(metadata.map { ($0.name, $0.value) }) { first, _ in first })
    for observer in observers { observer.noted(note) }
  }
}

/// What looks on while a client works: to log, to measure or to trace its calls.
///
/// Give observers to a client when you make it. They are called for each call, so they must be fast. They may be called
/// inside a call or its cancellation: they must not take a lock that your program holds there.
public protocol CallObserver: Sendable {
  /// What is called with what came of a call.
  typealias CallEnd = @Sendable (CallReport) -> Void

  /// Called when a call begins, in the task that asks: task-local values, such as the span around the call, are at hand.
  ///
  /// - Returns: A closure that is called exactly once, after the call has ended and before its caller gets the result, or nil
  ///   if the end does not matter. If an answer and a cancellation cross, the closure may get the answer and the caller the
  ///   cancellation.
  func callBegan(_ call: ObservedCall) -> CallEnd?

  /// Called when the pipeline behind a client has something to tell that concerns no single call.
  func noted(_ note: PipelineNote)
}

extension CallObserver {
  /// Watches no calls.
  public func callBegan(_ call: ObservedCall) -> CallEnd? { nil }

  /// Ignores the pipeline.
  public func noted(_ note: PipelineNote) {}
}

/// What a client is asked for.
public struct ObservedCall: Hashable, Sendable {
  /// What a call is for. Later versions may know more than these.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// As rows have it.
    public var rawValue: String

    /// Follows a link.
    public static let unfurl = Kind(rawValue: "unfurl")
    /// Reads a title.
    public static let title = Kind(rawValue: "title")
    /// Decodes data.
    public static let decode = Kind(rawValue: "decode")
    /// Runs a recipe.
    public static let run = Kind(rawValue: "run")

    /// What rows have as `kind`.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What the call is for.
  public var kind: Kind
  /// The link as it was asked for, with any secrets that it has; the name of a recipe.
  public var link: String

  /// For tests of observers.
  public init(kind: Kind, link: String) {
    (self.kind, self.link) = (kind, link)
  }
}

/// What came of a call.
public struct CallReport: Hashable, Sendable {
  /// From the beginning of the call to its answer.
  public var duration: Duration
  /// Why there is no value; nil when there is one.
  public var error: HalyardError?
  /// Where the link led; nil when nothing answered.
  public var url: String?
  /// The HTTP status there.
  public var status: Int?
  /// Whether the answer was cached.
  public var isCached = false

  /// For tests of observers.
  public init(duration: Duration = .zero, error: HalyardError? = nil) {
    (self.duration, self.error) = (duration, error)
  }
}

/// A line of the log of the pipeline behind a client. It has no bodies, cookies or passwords.
public struct PipelineNote: Hashable, Sendable {
  /// How much a line matters; the names are those of swift-log.
  public enum Level: String, CaseIterable, Sendable {
    case debug
    case info
    case warning
    case error
  }

  /// How much it matters.
  public var level: Level
  /// What happened: one of a fixed set of texts.
  public var message: String
  /// To what it happened.
  public var metadata: [String: String]

  /// For tests of observers.
  public init(_ level: Level, _ message: String, metadata: [String: String] = [:]) {
    (self.level, self.message, self.metadata) = (level, message, metadata)
  }
}
