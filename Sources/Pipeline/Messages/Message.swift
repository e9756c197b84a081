/// What a process does in the pipeline.
public enum Role: UInt8, FieldValue, Codable, Sendable {
  case producer = 1
  case aggregator = 2
  case fetcher = 3
  case decoder = 4

  /// The name in traces, in reports and on the command line.
  public var name: String {
    switch self {
    case .producer: "producer"
    case .aggregator: "aggregator"
    case .fetcher: "fetcher"
    case .decoder: "decoder"
    }
  }
}

/// Where an inbox can be reached, for example `inproc://aggregator`.
public struct Address: TextValue, Hashable, Sendable, CustomStringConvertible {
  public var text: String

  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }
}

/// Everything that travels between roles. A role switches over the cases it can receive.
public indirect enum Message: Hashable, Sendable {
  case hello(Hello)
  case roster(Roster)
  case credit(Credit)
  case submit(Submit)
  case receipt(Receipt)
  case job(JobOrder)
  case document(Document)
  case result(JobResult)
  case ack(Ack)
  case giveBack(GiveBack)
  case cancel(Cancel)
  case drain
  case bye(Bye)
  case query(Query)
  case answer(Answer)
  case ask(Ask)
  case tell(Tell)
  case hostSlotRequest(HostSlotRequest)
  case hostSlotGrant(HostSlotGrant)
}

/// A message with its place in the lane it travels.
public struct Envelope: Hashable, Sendable {
  public var message: Message
  /// Counts the credited messages (jobs, documents) of a lane from 1; 0 for all others.
  public var laneSequence: UInt64
  /// Shows that it comes from the other end of its lane.
  public var secret: LaneSecret
  /// What its sender may say, as far as the transport knows; it does not travel.
  public var rights = LaneRights.all
  /// Of a HELLO: who sent it, as far as the transport knows; it does not travel.
  public var peer: String?

  public init(_ message: Message, laneSequence: UInt64 = 0, secret: LaneSecret = .none) {
    self.message = message
    self.laneSequence = laneSequence
    self.secret = secret
  }
}

extension Message {
  /// The worker that it speaks for; nil for what no worker says of itself.
  public var speaker: WorkerID? {
    switch self {
    case .hello(let hello): hello.worker
    case .credit(let credit): credit.from
    case .document(let document): document.sender
    case .result(let result): result.sender
    case .giveBack(let giveBack): giveBack.from
    case .bye(let bye): bye.worker
    case .hostSlotRequest(let request): request.from
    case .roster, .submit, .receipt, .job, .ack, .cancel, .drain, .query, .answer, .ask, .tell,
      .hostSlotGrant:
      nil
    }
  }
}
