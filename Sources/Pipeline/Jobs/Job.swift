/// What a user asks for. What is to be done for it follows from its kind; one GET serves all of that.
public enum JobKind: UInt8, CaseIterable, Codable, Sendable {
  /// Follow the link to its end.
  case unfurl = 1
  /// Follow it, and read title and card of the page at the end.
  case title = 2
  /// Follow it, and read the JSON at the end.
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

  /// Whether a fetcher follows a link for it.
  public var walks: Bool { self == .unfurl || readsTheEnd }

  /// Whether a decoder reads what is at the end of its link.
  public var readsTheEnd: Bool { self == .title || self == .decode }
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

/// The fields of a value as they were read, which are passed on as they are until it is changed: nothing is encoded twice, and
/// fields that only others know are not lost.
@usableFromInline struct ArchivedFields: Hashable, Sendable {
  @usableFromInline var bytes: [UInt8]?

  @usableFromInline init() {}

  /// They tell nothing new.
  @usableFromInline static func == (left: ArchivedFields, right: ArchivedFields) -> Bool { true }

  @usableFromInline func hash(into hasher: inout Hasher) {}
}

/// One thing a user asked for. Everything a worker needs to write its row travels with it.
@dynamicMemberLookup
public struct Job: Hashable, Sendable {
  /// Jobs of one batch: their rows are numbered with 32 bits.
  public static let mostInBatch = UInt64(UInt32.max)

  /// What its copies share: a job is copied wherever it stops on its way, and changed hardly anywhere.
  public struct Parts: Hashable, Sendable {
    public var id: JobID
    public var batch: BatchID
    /// The place in the batch, from 0.
    public var ordinal: UInt64
    public var kind: JobKind
    /// The link as the user wrote it; nil when it was missing.
    public var input: String?
    /// The user's own key.
    public var ref: String?
    public var kept: [KeptColumn] = []
    fileprivate var sharedOrigin: CopyOnWrite<LinkOrigin>?
    /// How a `decode` reads its document, and a `title` its page; other kinds have no use for it.
    public var reading = Reading()
    /// The job ends by then, whatever it is doing.
    public var deadline: Moment?
    /// Set when the input could not even be read; the job ends with it at once.
    public var refusal: Failure?
    @usableFromInline var archived = ArchivedFields()

    /// Where the link stands, if it is from a document.
    public var origin: LinkOrigin? {
      get { sharedOrigin?.value }
      set { sharedOrigin = newValue.map(CopyOnWrite.init) }
    }
  }

  @usableFromInline var parts: CopyOnWrite<Parts>

  public init(batch: BatchID, ordinal: UInt64, kind: JobKind, input: String?) {
    parts = CopyOnWrite(
      Parts(
        id: JobID(batch: batch, ordinal: ordinal), batch: batch, ordinal: ordinal, kind: kind, input: input))
  }

  /// Inlined, or each access would look its key path up, as in `map(\.id)`.
  @inlinable public subscript<Value>(dynamicMember part: WritableKeyPath<Parts, Value>) -> Value {
    get { parts.value[keyPath: part] }
    _modify {
      yield &parts.value[keyPath: part]
      parts.value.archived.bytes = nil
    }
  }

  /// Its first step: a run waits for its calls.
  public var firstLife: JobLife { JobLife(waiting: self.kind == .run) }

  /// Whether a row of the other would answer this one too.
  public func asks(theSameAs other: Job) -> Bool {
    self.kind == other.kind && self.input == other.input && self.reading == other.reading
  }
}
