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
