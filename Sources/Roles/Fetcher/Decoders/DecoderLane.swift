import Pipeline
import Scheduling

/// A fetcher's lane to one decoder, with what was handed over and not yet named as finished.
final class DecoderLane {
  let address: Address
  let outbox: Outbox
  let secret: LaneSecret
  var credit: LaneSender
  /// The decoder takes nothing new; the lane is kept for what it still has.
  var isLeaving = false
  /// The suspect that it is reading, as it says.
  private(set) var reading: LeaseToken?
  /// Of the bodies that it has not finished.
  private(set) var bytes = 0
  /// In the order of the lane.
  private var handed = FIFO<Handed>()
  private var greetedAt: Moment?
  private var greetings = 0
  /// Greetings that were answered.
  private var answers = 0
  /// Greetings since it spoke last, and when the first of them was.
  private var unanswered = 0
  private var silentSince: Moment?

  private struct Handed {
    let pending: PendingDocument
    /// So many answers in all tell that it is done.
    let doneAfter: Int
  }

  /// A decoder reads in order: when it has answered so many greetings that were said later, it has finished with a
  /// document or never got it, and the lane lost the one message or the other.
  private static let answersUntilDone = 2
  /// A roster comes with each HELLO, and whenever a decoder comes or goes; a greeting is for the beat.
  private static let greetingMilliseconds = Heartbeat.helloMilliseconds * 3 / 4
  /// A decoder that leaves so many greetings without an answer is gone, also when its lane did not go down. The time
  /// counts too, and neither alone: while this process itself stood still no answer could come.
  private static let mostUnanswered = 5

  init(to peer: Roster.Peer, over outbox: Outbox, credit: LaneSender) {
    (address, secret) = (peer.address, peer.secret)
    (self.outbox, self.credit) = (outbox, credit)
  }

  var isIdle: Bool { handed.isEmpty }

  /// Tokens of documents that it has not finished.
  var tokens: [LeaseToken] { handed.map(\.pending.token) }

  /// Tells the decoder how many documents were sent to it, so that it sees which got lost.
  func greet(as hello: Hello, at now: Moment) {
    if let greetedAt, now.milliseconds(since: greetedAt) < Self.greetingMilliseconds { return }
    var hello = hello
    hello.received = credit.sent
    (hello.held, hello.executing) = ([], [])
    greetedAt = now
    greetings += 1
    if unanswered == 0 { silentSince = now }
    unanswered += 1
    outbox.add(.hello(hello))
  }

  func isSilent(at now: Moment) -> Bool {
    guard let silentSince, unanswered > Self.mostUnanswered else { return false }
    return now.milliseconds(since: silentSince) >= Heartbeat.workerLifeMilliseconds
  }

  /// - Returns: False without credit.
  func handOver(_ pending: PendingDocument) -> Bool {
    guard let sequence = credit.take() else { return false }
    handed.append(Handed(pending: pending, doneAfter: greetings + Self.answersUntilDone))
    bytes += pending.bytes
    outbox.add(pending.document, laneSequence: sequence)
    return true
  }

  func received(_ hello: Hello) {
    outbox.receiverSpoke()
    unanswered = 0
    reading = hello.executing.first
  }

  func received(_ credit: Credit) {
    outbox.receiverSpoke()
    self.credit.received(grant: credit.granted)
    unanswered = 0
    // Only the answer to a greeting names nothing.
    if credit.finished.isEmpty { answers = min(answers + 1, greetings) }
    for token in credit.finished { finished(token) }
    while let first = handed.first, answers >= first.doneAfter { releaseFirst() }
  }

  /// Nearly always the first: what it passes over is in a message that got lost.
  private func finished(_ token: LeaseToken) {
    if handed.first?.pending.token == token {
      releaseFirst()
    } else {
      handed.removeAll { passed in
        guard passed.pending.token == token else { return false }
        bytes -= passed.pending.bytes
        return true
      }
    }
  }

  private func releaseFirst() {
    bytes -= handed.popFirst()?.pending.bytes ?? 0
  }

  /// What it still had, in order.
  func takeBack() -> [PendingDocument] {
    bytes = 0
    return handed.popFirst(atMost: handed.count).map(\.pending)
  }
}
