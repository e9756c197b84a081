/// What a user asks for.
public enum JobKind: UInt8, CaseIterable, Sendable {
  case unfurl = 1
  case title = 2
  case decode = 3
  /// Walks every role and touches nothing outside: health check and benchmark.
  case echo = 4
  /// A recipe: its calls are jobs of their own, and its row holds what they come to.
  case run = 5

  /// The name in rows and job files.
  public var name: String {
    switch self {
    case .unfurl: "unfurl"
    case .title: "title"
    case .decode: "decode"
    case .echo: "echo"
    case .run: "run"
    }
  }

  /// A kind that a link can be of, by its name; a run is of a recipe.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }), kind != .run else { return nil }
    self = kind
  }
}

/// One thing to do on a job's way.
public enum SlipStep: UInt8, Sendable {
  /// Follow the link to its end.
  case unfurl = 1
  /// Read title and card of the page at the end.
  case title = 2
  /// Read the JSON at the end.
  case decode = 3
  /// Pass through.
  case echo = 4
  /// Make calls, and gather their answers.
  case run = 5
}

/// The ordered steps of a job. One GET serves all of them.
public struct RoutingSlip: Hashable, Sendable {
  /// More steps than any slip needs; a longer one is refused where it comes in, and so is an empty one.
  public static let mostSteps = 16

  public var steps: [SlipStep]

  public init(_ steps: [SlipStep]) {
    self.steps = steps
  }

  /// The default steps of a kind.
  public init(for kind: JobKind) {
    switch kind {
    case .unfurl: steps = [.unfurl]
    case .title: steps = [.unfurl, .title]
    case .decode: steps = [.unfurl, .decode]
    case .echo: steps = [.echo]
    case .run: steps = [.run]
    }
  }
}

/// A column of the user's input that is carried into the row.
public struct KeptColumn: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One thing a user asked for. Everything a worker needs to write its row travels with it.
public struct Job: Hashable, Sendable {
  /// Jobs of one batch: their rows are numbered with 32 bits.
  public static let mostInBatch = UInt64(UInt32.max)

  /// What its copies share: a job is copied wherever it stops on its way, and changed hardly anywhere.
  private struct Parts: Hashable, Sendable {
    var id: JobID
    var batch: BatchID
    var ordinal: UInt64
    var kind: JobKind
    var slip: RoutingSlip
    var input: String?
    var ref: String?
    var kept: [KeptColumn] = []
    var origin: CopyOnWrite<LinkOrigin>?
    var reading = Reading()
    var deadline: Moment?
    var refusal: Failure?
  }

  private var parts: CopyOnWrite<Parts>

  public init(batch: BatchID, ordinal: UInt64, kind: JobKind, input: String?) {
    parts = CopyOnWrite(
      Parts(
        id: JobID(batch: batch, ordinal: ordinal), batch: batch, ordinal: ordinal, kind: kind,
        slip: RoutingSlip(for: kind), input: input))
  }

  public var id: JobID {
    get { parts.value.id }
    set { parts.value.id = newValue }
  }

  public var batch: BatchID {
    get { parts.value.batch }
    set { parts.value.batch = newValue }
  }

  /// The place in the batch, from 0.
  public var ordinal: UInt64 {
    get { parts.value.ordinal }
    set { parts.value.ordinal = newValue }
  }

  public var kind: JobKind {
    get { parts.value.kind }
    set { parts.value.kind = newValue }
  }

  public var slip: RoutingSlip {
    get { parts.value.slip }
    _modify { yield &parts.value.slip }
  }

  /// The link as the user wrote it; nil when it was missing.
  public var input: String? {
    get { parts.value.input }
    set { parts.value.input = newValue }
  }

  /// The user's own key.
  public var ref: String? {
    get { parts.value.ref }
    set { parts.value.ref = newValue }
  }

  public var kept: [KeptColumn] {
    get { parts.value.kept }
    _modify { yield &parts.value.kept }
  }

  /// Where the link stands, if it is from a document.
  public var origin: LinkOrigin? {
    get { parts.value.origin?.value }
    set { parts.value.origin = newValue.map(CopyOnWrite.init) }
  }

  /// How a `decode` reads its document, and a `title` its page; other kinds have no use for it.
  public var reading: Reading {
    get { parts.value.reading }
    _modify { yield &parts.value.reading }
  }

  /// The job ends by then, whatever it is doing.
  public var deadline: Moment? {
    get { parts.value.deadline }
    set { parts.value.deadline = newValue }
  }

  /// Set when the input could not even be read; the job ends with it at once.
  public var refusal: Failure? {
    get { parts.value.refusal }
    set { parts.value.refusal = newValue }
  }

  /// Its first step: a run waits for its calls.
  public var firstLife: JobLife { JobLife(waiting: kind == .run) }

  /// Whether a row of the other would answer this one too.
  public func asks(theSameAs other: Job) -> Bool {
    kind == other.kind && input == other.input && reading == other.reading
  }
}
