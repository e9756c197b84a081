import JSONQuery

/// What a client asks of a fleet, or wants done: a value that travels as JSON in an `Ask`, and its reply in a `Tell`.
///
/// A new one is a type, and a handler where it is answered. Who does not know its name says so.
public protocol FleetQuestion: Codable, Hashable, Sendable {
  associatedtype Reply: Codable & Sendable

  /// What it is called on the wire. It never changes.
  static var name: String { get }

  /// Whether it changes something. Then it is asked twice under one id: without a deadline, which only tells the time, and
  /// with one; see `Ask.deadline`.
  static var changes: Bool { get }

  /// What its sender has to be.
  static var right: LaneRights { get }

  /// As it may be taken from outside: with no text longer than it may be; nil when it makes no sense.
  var bounded: Self? { get }
}

extension FleetQuestion {
  public static var changes: Bool { false }
  public static var right: LaneRights { .client }
  public var bounded: Self? { self }
}

/// Carries a question. It is sent again under the same id until it is answered.
public struct Ask: Archived, Hashable, Sendable {
  public var replyTo = Address("")
  /// Comes back in every answer to it. What changes something is done once for each id.
  public var id = UUIDv7(high: 0, low: 0)
  public var name = ""
  /// Until when a change may be begun, by the clock of who makes it. Without one nothing is changed, and who is asked tells
  /// the time; the same question with a deadline is the wish.
  ///
  /// A client that gives up reports that nothing was done, so what reaches the other end later must not be done. A span
  /// from its arrival would not do, because nobody there knows how long it lay in queues, and two machines have two clocks.
  /// The time that the client was told is older than its arrival, so a deadline that follows from it is never later than the
  /// moment at which the client gives up. What is sent again has the same deadline, and it is looked at once more before
  /// the change is committed.
  public var deadline: Moment?
  public var json: [UInt8] = []

  public static let longestName = 64
  /// Bytes of a question: the longest thing in one is a link.
  public static let mostBytes = 1 << 20

  public init<Question: FleetQuestion>(
    _ question: Question, replyTo: Address, id: UUIDv7, deadline: Moment? = nil
  ) {
    (self.replyTo, self.id, name, self.deadline) = (replyTo, id, Question.name, deadline)
    // No question has a fraction; one that had would be told to be unreadable.
    json = (try? JSONWriter.json(of: question)) ?? []
  }

  /// The question in it; nil when it is none of that type, or makes no sense.
  public func question<Question: FleetQuestion>(as type: Question.Type) -> Question? {
    let document = try? JSONDocument(parsing: json, limits: .around)
    return (try? document?.root.decoded(as: type))?.bounded
  }

  /// The client gave up.
  public func isLate(at now: Moment) -> Bool { deadline.map { $0 <= now } ?? false }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &replyTo)
    coder.need(2, &id)
    coder.need(3, &name)
    coder.require(name.utf8.count <= Self.longestName, "name")
    coder.field(4, &deadline)
    coder.bytes(5, &json)
    coder.bound(json.count, to: Self.mostBytes, json.count <= Self.mostBytes)
  }
}

/// Answers an `Ask`.
public struct Tell: Archived, Hashable, Sendable {
  /// Why there is no reply, and never will be.
  public enum Refusal: UInt8, FieldValue, Sendable {
    /// The name is of no question that is known there.
    case unknown = 1
    /// The question is not as it was expected.
    case unreadable = 2
  }

  public var id = UUIDv7(high: 0, low: 0)
  /// Of the question, for those who only overhear the reply.
  public var name = ""
  /// The time by the clock of who answers.
  public var at = Moment(unixMilliseconds: 0)
  /// The reply; empty while there is none: the change was asked for without a deadline, or it is being made.
  public var json: [UInt8] = []
  public var refusal: Refusal?

  public init(to ask: Ask, at moment: Moment, json: [UInt8] = [], refusal: Refusal? = nil) {
    (id, name, at, self.json, self.refusal) = (ask.id, ask.name, moment, json, refusal)
  }

  public init(to ask: Ask, at moment: Moment, _ reply: some Encodable) {
    let json = try? JSONWriter.json(of: reply)
    // A reply with a fraction cannot be written. None has one; a client would wait for it for ever.
    self.init(to: ask, at: moment, json: json ?? [], refusal: json == nil ? .unreadable : nil)
  }

  /// Nothing more is to come.
  public var isFinal: Bool { refusal != nil || !json.isEmpty }

  public func reply<Reply: Decodable>(as type: Reply.Type) throws -> Reply {
    try JSONDocument(parsing: json, limits: .around).root.decoded(as: type)
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &id)
    coder.need(2, &at)
    coder.need(3, &name)
    coder.require(name.utf8.count <= Ask.longestName, "name")
    coder.field(4, &refusal)
    coder.bytes(5, &json)
  }
}

/// Ids and moments in the JSON of questions: as users see them, and as a number.
extension UUIDv7: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = UUIDv7(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no id: \(text)"))
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension TypedID {
  public init(from decoder: any Decoder) throws { self.init(try UUIDv7(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }
}

extension Moment: Codable {
  public init(from decoder: any Decoder) throws { self.init(unixMilliseconds: try Int64(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try unixMilliseconds.encode(to: encoder) }
}
