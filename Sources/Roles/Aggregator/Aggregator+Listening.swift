import Pipeline

/// Listening while the ledger is at work, or cannot work: what changes nothing is answered at once or noted. During a
/// commit all else is taken in for the next one; otherwise it waits in its order.
extension Aggregator {
  /// Awaits what the ledger does, which can take as long as its disk is slow.
  ///
  /// - Parameter takesIn: What comes is taken in for the next commit.
  func listening<Answer: Sendable>(
    takingIn takesIn: Bool = false, during work: @escaping @Sendable () async throws(LedgerError) -> Answer
  ) async throws(LedgerError) -> Answer {
    guard !ledger.isInstant else { return try await work() }
    let ending = await withTaskGroup(of: Heard<Answer>.self) { group in
      group.addTask {
        do throws(LedgerError) { return .ended(.success(try await work())) } catch {
          return .ended(.failure(error))
        }
      }
      hearMore(in: &group)
      var ending: Result<Answer, LedgerError>?
      for await heard in group {
        switch heard {
        case .ended(let result):
          ending = result
          group.cancelAll()
        case .came(let burst):
          if takesIn {
            heardBytes += burst.reduce(0) { $0 + $1.bytes }
            await handle(burst)
            grantHostSlots(at: ports.clock.now)
            connections.flush()
          } else {
            for delivery in burst where !(await answers(delivery)) { waiting.append(delivery) }
          }
          if ending == nil { hearMore(in: &group) }
        case .nothing: break
        }
      }
      return ending
    }
    guard let ending else { throw LedgerError("use ledger: how that ended is not known") }
    return try ending.get()
  }

  /// Receives one burst more while there is room. Without room messages stay in their lanes, so senders slow down.
  private func hearMore(in group: inout TaskGroup<Heard<some Sendable>>) {
    let hasRoom = heardBytes < WaitingDeliveries.mostBytes / 2
    let room = hasRoom ? min(waiting.room, Self.burst - heard) : 0
    guard room > 0 else { return }
    group.addTask { [inbox] in
      // An error of the inbox comes up again in the next transaction.
      (try? await inbox.receive(atMost: room, until: nil)).map { .came($0) } ?? .nothing
    }
  }

  /// A commit or a read failed and will be tried again.
  func listenMeanwhile(until moment: Moment) async throws {
    while ports.clock.now < moment {
      await careForLedger(at: ports.clock.now, listens: false)
      let next = min(moment, chores.care.next ?? moment)
      for delivery in try await inbox.receive(atMost: Self.burst, until: next) {
        if case .envelope(let envelope) = delivery, case .hello(let hello) = envelope.message {
          registry.isHeard(hello.worker, at: ports.clock.now)
        }
        let isAnswered = await answers(delivery)
        if isAnswered {
          if isReadOnly { await answerWaitingAsk() }
          connections.flush()
        } else if try await servesReader(delivery) {
          connections.flush()
        } else if !delivery.isOrder {
          // A client whose change is not made yet may give up any time; until then it asks again.
          waiting.add(delivery)
        }
      }
    }
  }

  /// - Returns: False for what is no question, or one that concerns a commit.
  private func answers(_ delivery: Delivery) async -> Bool {
    guard case .envelope(let envelope) = delivery, case .ask(let ask) = envelope.message, ask.deadline == nil
    else {
      return false
    }
    work.messages += 1
    var nothing = Transaction()
    if admits(envelope) { await take(ask, over: envelope.secret, &nothing) }
    return true
  }
}

private enum Heard<Answer: Sendable>: Sendable {
  case came([Delivery])
  case nothing
  case ended(Result<Answer, LedgerError>)
}

extension Delivery {
  /// It wants a change, and is repeated until that is made.
  fileprivate var isOrder: Bool {
    guard case .envelope(let envelope) = self, case .ask(let ask) = envelope.message else { return false }
    return ask.deadline != nil
  }
}

/// What comes while a commit is under way or fails, in its order: bounded in number and in bytes, because the disk can be
/// full for hours and peers go on sending.
struct WaitingDeliveries {
  static let most = 1_000
  static let mostBytes = 64 << 20

  private var deliveries: [Delivery] = []
  private(set) var bytes = 0

  var isEmpty: Bool { deliveries.isEmpty }
  var count: Int { deliveries.count }

  /// How many more may be taken at once: none when half of the bytes are used, because one burst can be large.
  var room: Int { bytes < Self.mostBytes / 2 ? max(0, Self.most - deliveries.count) : 0 }

  /// Beyond the bounds it keeps only messages that are never repeated, and a bounded number of those.
  mutating func add(_ delivery: Delivery) {
    let size = delivery.bytes
    let isFull = deliveries.count >= Self.most || bytes + size > Self.mostBytes
    guard !isFull || !delivery.comesAgain && bytes + size <= 2 * Self.mostBytes else { return }
    append(delivery)
  }

  /// Of a burst that there was room for.
  mutating func append(_ delivery: Delivery) {
    deliveries.append(delivery)
    bytes += delivery.bytes
  }

  mutating func takeAll() -> [Delivery] {
    defer { self = WaitingDeliveries() }
    return deliveries
  }
}

extension Delivery {
  /// What it takes, more or less.
  var bytes: Int {
    switch self {
    case .envelope(let envelope): EnvelopeCodec.bytes(of: envelope.message)
    case .lane: 0
    }
  }

  /// Its sender repeats it, or what makes up for it, until it is answered.
  fileprivate var comesAgain: Bool {
    guard case .envelope(let envelope) = self else { return false }
    switch envelope.message {
    case .hello, .submit, .result, .credit, .query, .ask, .hostSlotRequest: return true
    case .roster, .receipt, .job, .document, .ack, .giveBack, .cancel, .drain, .bye, .answer, .tell,
      .hostSlotGrant:
      return false
    }
  }
}
