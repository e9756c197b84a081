import Pipeline

/// Questions and orders of operators.
extension Aggregator {
  /// More wait for nothing: a client that finds no room asks again.
  private static let mostWaitingAsks = 64

  /// A repeated order gets the answer of the first time, and one that came too late is dropped. Of one that takes its time
  /// the client hears that the fleet is at it.
  func take(_ ask: Ask, over secret: LaneSecret, _ transaction: inout Transaction) async {
    guard await connections.meet(ask.replyTo, secret) else { return }
    guard let entry = questions[ask.name] else { return tell(.unknown, to: ask) }
    guard entry.changes else { return await take(ask, entry, &transaction) }
    if let known = answered[ask.id] {
      connections.add(.tell(known), to: ask.replyTo)
    } else if ask.deadline == nil || chores.sweeps.contains(where: { $0.ask?.id == ask.id }) {
      connections.add(.tell(Tell(to: ask, at: ports.clock.now)), to: ask.replyTo)
      connections.flush(ask.replyTo)
    } else if !ask.isLate(at: ports.clock.now), !transaction.isChanging(for: ask),
      !committing.isChanging(for: ask)
    {
      await entry.take(self, ask, &transaction)
    }
  }

  private func take(_ ask: Ask, _ entry: QuestionTable.Entry, _ transaction: inout Transaction) async {
    guard entry.waits else {
      await entry.take(self, ask, &transaction)
      return connections.flush(ask.replyTo)
    }
    guard waitingAsks.count < Self.mostWaitingAsks, !waitingAsks.contains(ask) else { return }
    waitingAsks.append(ask)
  }

  /// Answers the first of those that wait for the commit.
  func answerWaitingAsk() async {
    guard !waitingAsks.isEmpty else { return }
    let ask = waitingAsks.removeFirst()
    var nothing = Transaction()
    await questions[ask.name]?.take(self, ask, &nothing)
  }

  func tell(_ reply: some Encodable, to ask: Ask) {
    connections.add(.tell(Tell(to: ask, at: ports.clock.now, reply)), to: ask.replyTo)
  }

  func tell(_ refusal: Tell.Refusal, to ask: Ask) {
    connections.add(.tell(Tell(to: ask, at: ports.clock.now, refusal: refusal)), to: ask.replyTo)
    connections.flush(ask.replyTo)
  }

  /// What an order came to; said again to a client that repeats it.
  func say(_ reply: some Encodable, to ask: Ask) {
    let tell = Tell(to: ask, at: ports.clock.now, reply)
    answered.keep(tell)
    connections.add(.tell(tell), to: ask.replyTo)
  }
}
