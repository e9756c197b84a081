import Assembly
import Pipeline
import Posix

/// Says after a second that a fleet has not answered yet, and later on when it falls silent and when it is back.
final class WaitingNotice: Sendable {
  private static let silenceMilliseconds: Int64 = 1_000

  private struct State {
    var silence = Silence()
    var hindrances = Hindrances()
  }

  private let isQuiet: Bool
  private let follows: Bool
  private let first: Task<Void, any Error>?
  private let state = Lock(State())

  /// - Parameters:
  ///   - isQuiet: Says nothing.
  ///   - follows: Says once what is paused of the batch that the command asks for, and why the fleet takes no jobs.
  init(_ place: FleetPlace, timeoutMilliseconds: Int64, isQuiet: Bool, follows: Bool = false) {
    (self.isQuiet, self.follows) = (isQuiet, follows)
    guard !isQuiet, timeoutMilliseconds > Self.silenceMilliseconds else {
      first = nil
      return
    }
    let rest = Quantity.duration(timeoutMilliseconds - Self.silenceMilliseconds)
    first = Task {
      try await Task.sleep(for: .milliseconds(Self.silenceMilliseconds))
      Message.show(
        "halyard: waiting for a fleet at \(Printable.text(place.address.text)), at most \(rest) more\n")
    }
  }

  /// It answered once, and does not any more, or says why it takes no jobs.
  var isStuck: Bool { state.withLock { $0.silence.isTold || $0.hindrances.takesNothing } }

  /// Why the fleet has taken no jobs for so long; nil when it has.
  func refusesJobs(forMilliseconds limit: Int64) -> FleetRefusal? {
    state.withLock { state in
      guard state.hindrances.milliseconds >= limit else { return nil }
      let time = Quantity.duration(limit)
      return FleetRefusal(
        words: "the fleet has taken no jobs for \(time)\(state.hindrances.trouble)", next: "halyard status")
    }
  }

  var hasAnswered: Bool { state.withLock { $0.silence.hasAnswered } }

  func watched(_ inbox: any Inbox) -> any Inbox {
    TappedInbox(base: inbox) { [self] base, limit, moment in
      // Only time spent listening counts as silence.
      let began = SystemTime.monotonicMicroseconds
      let deliveries = try await base.receive(atMost: limit, until: moment)
      if deliveries.envelopes.isEmpty {
        let milliseconds = (SystemTime.monotonicMicroseconds - began) / 1_000
        say(state.withLock { $0.silence.lasted(milliseconds) }?.rawValue)
      } else {
        heard(deliveries.envelopes)
      }
      return deliveries
    }
  }

  /// It answered, or the command stopped waiting.
  func end() { first?.cancel() }

  private func heard(_ envelopes: [Envelope]) {
    end()
    var isAtIt = false
    if case .tell(let tell)? = envelopes.last?.message { isAtIt = !tell.isFinal }
    say(state.withLock { [isAtIt] in $0.silence.heard(isAtIt: isAtIt) }?.rawValue)
    guard follows else { return }
    let now = SystemTime.monotonicMicroseconds / 1_000
    for envelope in envelopes { say(state.withLock { $0.hindrances.heard(envelope.message, at: now) }) }
  }

  /// On a thread of its own: a blocked terminal must not hold up the inbox.
  private func say(_ words: String?) {
    guard let words, !isQuiet else { return }
    _ = try? Posix.Thread.start(name: "message") { Message.show(words) }
  }
}

/// How long the fleet has not answered. A pure value.
struct Silence {
  /// In the words of its message.
  enum News: String, Sendable {
    case silent = "halyard: the fleet does not answer; waiting\n"
    case busy = "halyard: the fleet has heard it, and has not done it yet; waiting\n"
    case back = "halyard: the fleet answers again\n"
  }

  /// A waiting command asks again after a second, and a fleet that is there answers at once.
  static let tellingMilliseconds: Int64 = 2_500

  private var milliseconds: Int64 = 0
  private(set) var hasAnswered = false
  private var told: News?
  private var isAtIt = false

  var isTold: Bool { told != nil }

  /// - Parameter isAtIt: It said that it takes its time.
  mutating func heard(isAtIt: Bool = false) -> News? {
    milliseconds = 0
    hasAnswered = true
    self.isAtIt = isAtIt
    defer { told = nil }
    return told == .silent ? .back : nil
  }

  mutating func lasted(_ more: Int64) -> News? {
    milliseconds += more
    guard hasAnswered, !isTold, milliseconds >= Self.tellingMilliseconds else { return nil }
    told = isAtIt ? .busy : .silent
    return told
  }
}

/// What a command waits behind, each told once. A pure value.
struct Hindrances {
  private var pauses: Set<KnownPause> = []
  /// Why the fleet takes no jobs, behind a colon.
  private(set) var trouble = "" {
    didSet { if oldValue.isEmpty { since = now } }
  }
  private var since: Int64 = 0
  private var now: Int64 = 0

  var takesNothing: Bool { !trouble.isEmpty }

  /// How long it has taken none, as of its last word.
  var milliseconds: Int64 { takesNothing ? now - since : 0 }

  /// - Parameter moment: In milliseconds.
  /// - Returns: What there is to tell.
  mutating func heard(_ message: Pipeline.Message, at moment: Int64) -> String? {
    now = moment
    switch message {
    case .tell(let tell) where tell.name == ProgressQuestion.name:
      guard let pause = (try? tell.reply(as: ProgressQuestion.Reply.self))?.pause,
        pauses.insert(pause).inserted
      else { return nil }
      return PauseText(pause).notice
    case .tell(let tell) where tell.name == StatusQuestion.name:
      // It is asked for while a submission has no receipt.
      guard let status = try? StatusText(tell.json), status.reason != trouble else { return nil }
      trouble = status.reason
      return takesNothing ? "halyard: waiting for the fleet\(trouble)\n" : nil
    case .receipt: trouble = ""
    default: break
    }
    return nil
  }
}
