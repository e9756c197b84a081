/// What a user asks for. What is to be done for it follows from its kind; one GET serves all of that.
public enum JobKind: UInt8, FieldValue, CaseIterable, Codable, Sendable {
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
public struct KeptColumn: Archived, Hashable, Sendable {
  public var name = ""
  public var value = ""

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &name)
    coder.field(2, &value)
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
public struct Job: Archived, Hashable, Sendable {
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
    /// Where the link stands, if it is from a document.
    @Boxed public var origin: LinkOrigin?
    /// How a `decode` reads its document, and a `title` its page; other kinds have no use for it.
    public var reading = Reading()
    /// The job ends by then, whatever it is doing.
    public var deadline: Moment?
    /// Set when the input could not even be read; the job ends with it at once.
    public var refusal: Failure?
    @usableFromInline var archived = ArchivedFields()

    /// All but its id, its batch and its place there.
    mutating func codeFields(_ coder: inout some Coder) {
      if coder.takes(&archived.bytes) { return }
      coder.need(4, &kind)
      coder.field(6, &deadline)
      coder.field(7, &input)
      coder.field(8, &ref)
      coder.field(9, &refusal)
      coder.field(10, &kept)
      reading.code(&coder)
      coder.field(30, &origin)
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

  init() {
    self.init(batch: .none, ordinal: 0, kind: .echo, input: nil)
  }

  mutating func code(_ coder: inout some Coder) {
    var (id, batch, ordinal) = (self.id, self.batch, self.ordinal)
    coder.need(1, &id)
    coder.need(2, &batch)
    coder.field(3, &ordinal)
    guard coder.isReading else { return writeFields(to: &coder) }
    var parts = parts.value
    (parts.id, parts.batch, parts.ordinal) = (id, batch, ordinal)
    parts.codeFields(&coder)
    self.parts.value = parts
  }

  /// Kept fields are passed on without a copy of what they say.
  func writeFields(to coder: inout some Coder) {
    var kept = parts.value.archived.bytes
    if coder.takes(&kept) { return }
    var parts = parts.value
    parts.codeFields(&coder)
  }

  /// Its first step: a run waits for its calls.
  public var firstLife: JobLife { JobLife(waiting: self.kind == .run) }

  /// Whether a row of the other would answer this one too.
  public func asks(theSameAs other: Job) -> Bool {
    self.kind == other.kind && self.input == other.input && self.reading == other.reading
  }
}

/// How large a job may be. Whatever else goes with it, and however much its texts grow as JSON, it then fits into every
/// message that carries it.
extension Job {
  /// Bytes of its record.
  public static let mostBytes = 2 << 20

  /// Itself, or what is left of a job that is too large: it is refused, and its row says so.
  public var bounded: Job {
    let bytes = JobRecord.bytes(of: self)
    guard bytes > Self.mostBytes else { return self }
    var job = self
    job.refusal = Failure(
      .invalidInput, at: .input,
      "read ordinal \(self.ordinal) of its batch: the job takes \(bytes) bytes, and \(Self.mostBytes) is the most; give a shorter link, or keep fewer columns"
    )
    job.cutTexts()
    return job
  }

  /// The bytes that its texts add to a message.
  public var textBytes: Int {
    let own = (self.input?.utf8.count ?? 0) + (self.ref?.utf8.count ?? 0) + (self.origin?.textBytes ?? 0)
    return self.kept.reduce(own + self.reading.textBytes) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  private mutating func cutTexts() {
    self.input = self.input?.shortened(toBytes: Failure.longestMessage)
    self.ref = self.ref?.shortened(toBytes: Failure.longestMessage)
    self.reading = Reading()
    self.kept = []
    self.origin = nil
  }
}

/// A large value that its copies share, until one of them changes: a copy takes one reference and no bytes.
@usableFromInline struct CopyOnWrite<Value: Sendable>: Sendable {
  /// Unchecked, because it changes only while nothing else refers to it.
  @usableFromInline final class Box: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable init(_ value: Value) { box = Box(value) }

  @inlinable var value: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {
  @usableFromInline static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}

/// A large member that is seldom there: its owner is one word larger by it, and copied as fast.
@propertyWrapper public struct Boxed<Value: Sendable>: Sendable {
  @usableFromInline var box: CopyOnWrite<Value>?

  @inlinable public init(wrappedValue: Value? = nil) { box = wrappedValue.map(CopyOnWrite.init) }

  @inlinable public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(CopyOnWrite.init) }
  }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

/// How a job wants its body read: the document of a `decode`, the page of a `title`, the recipe of a `run`.
public struct Reading: Hashable, Sendable {
  /// The part of the document to select; nil for all of it.
  public var select: String?
  /// The parts that the document must have, each `PATH:TYPE`.
  public var require: [String] = []
  /// Whether the JSON may stand in a script: behind words that keep others from running it, or in a call (JSONP).
  public var unwraps = false
  /// Whether the page's oEmbed endpoint is asked too.
  public var wantsEmbed = false
  /// How the answer to a recipe's call is read, as recipes write it.
  public var call: String?
  /// The recipe of a `run`, as its file has it.
  public var recipe: String?
  /// The recipe's arguments, each `NAME=VALUE`.
  public var parameters: [String] = []
  /// Headers for the link's own origin, each `NAME: VALUE`.
  public var headers: [String] = []
  /// What every request has as its Accept-Language.
  public var language: String?
  /// The final statuses whose body is read as the document of a `decode`; those below 400 when there are none.
  public var accepts: [StatusRange] = []

  public init(select: String? = nil, require: [String] = [], unwraps: Bool = false, wantsEmbed: Bool = false)
  {
    self.select = select
    self.require = require
    self.unwraps = unwraps
    self.wantsEmbed = wantsEmbed
  }

  /// Its fields stand among those of its job. Who does not know one would not do what the job is for.
  fileprivate mutating func code(_ coder: inout some Coder) {
    coder.field(11, &select, isCritical: true)
    coder.field(12, &require, isCritical: true)
    coder.field(13, &unwraps, isCritical: true)
    coder.field(14, &wantsEmbed, isCritical: true)
    coder.field(15, &call, isCritical: true)
    coder.field(16, &recipe, isCritical: true)
    coder.field(17, &parameters, isCritical: true)
    coder.field(18, &headers, isCritical: true)
    coder.field(19, &language, isCritical: true)
    coder.field(20, &accepts, isCritical: true)
  }

  /// The bytes that its texts add to a message.
  public var textBytes: Int {
    func bytes(_ text: String?) -> Int { text?.utf8.count ?? 0 }
    func bytes(_ texts: [String]) -> Int { texts.reduce(0) { $0 + $1.utf8.count } }
    return bytes(select) + bytes(call) + bytes(recipe) + bytes(language)
      + bytes(require) + bytes(parameters) + bytes(headers) + bytes(accepts.map(\.text))
  }
}

/// Where a job's link stands in the user's document.
public struct LinkOrigin: Archived, Hashable, Sendable {
  /// Bytes of a link's text that are carried into its row.
  public static let longestText = 200

  /// The document's path; nil for standard input.
  public var file: String?
  /// Counted from 1.
  public var line: UInt32 = 0
  /// In characters, counted from 1.
  public var column: UInt32 = 0
  /// What a reader of the document sees of the link, shortened; nil when that is nothing.
  public var text: String?

  public init(file: String?, line: Int, column: Int, text: String? = nil) {
    self.file = file
    (self.line, self.column) = (UInt32(clamping: line), UInt32(clamping: column))
    self.text = text
  }

  /// The bytes that its texts add to a message.
  var textBytes: Int { (file?.utf8.count ?? 0) + (text?.utf8.count ?? 0) }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &file)
    coder.field(2, &line)
    coder.field(3, &column)
    coder.field(4, &text)
  }
}

extension String {
  /// The text, without its middle where it takes more bytes: what it is about stands at the beginning, and how it ended
  /// at the end. No character is cut in two, and a mark stands for what is left out.
  public func shortened(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let (bytes, room) = (Array(utf8), max(0, limit - Self.omission.utf8.count))
    var end = room / 2
    while end > 0, bytes[end].isContinuation { end -= 1 }
    var start = bytes.count - (room - room / 2)
    while start < bytes.count, bytes[start].isContinuation { start += 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + Self.omission
      + String(decoding: bytes[start...], as: UTF8.self)
  }

  private static let omission = " […] "
}

extension UInt8 {
  /// It belongs to the UTF-8 character that began before it.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}

/// HTTP statuses as users write them: `403`, or `200..=299`.
public struct StatusRange: TextValue, Hashable, Sendable {
  private static let all = 100...599

  private let statuses: ClosedRange<Int>

  /// nil for what is neither a status nor a range of them.
  public init?(_ text: String) {
    let ends = text.split(separator: "..=", omittingEmptySubsequences: false).map { Self.status($0) }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last else {
      return nil
    }
    statuses = first...last
  }

  private static func status(_ text: Substring) -> Int? {
    guard text.utf8.count == 3, let number = Int(text), all.contains(number) else { return nil }
    return number
  }

  public func contains(_ status: Int) -> Bool { statuses.contains(status) }

  /// The same for the same statuses.
  public var text: String {
    statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)..=\(statuses.upperBound)"
  }
}
