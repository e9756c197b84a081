import Pipeline
import Posix

/// What happened, in order: a fingerprint of all of it, and the end of it as text.
final class SimulatedTrace: Sendable {
  private enum Subject {
    case name(String)
    case message(Envelope, from: String, to: Address)
  }

  private struct Line {
    var moment: Moment
    var what: StaticString
    var subject: Subject
    var number: Int64?
  }

  private struct State {
    var lines: [Line] = []
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var count: UInt64 = 0
    var complaints: [String] = []
    /// At least so many lines are kept.
    var limit: Int

    mutating func mix(_ value: UInt64) {
      hash = (hash ^ value) &* 0x0000_0100_0000_01B3
      hash ^= hash >> 29
    }

    mutating func mix(_ text: some Sequence<UInt8>) {
      for byte in text { mix(UInt64(byte)) }
    }

    mutating func add(_ line: Line) {
      count += 1
      mix(UInt64(bitPattern: line.moment.unixMilliseconds))
      mix(UInt64(line.what.utf8CodeUnitCount))
      lines.append(line)
      if lines.count >= 2 * limit { lines.removeFirst(limit) }
    }
  }

  private let state: Lock<State>
  private let now: @Sendable () -> Moment

  /// - Parameter limit: Lines that can be shown at the end.
  init(atMost limit: Int, now: @escaping @Sendable () -> Moment) {
    self.now = now
    state = Lock(State(limit: limit))
  }

  /// The same for the same run, bit by bit.
  var fingerprint: UInt64 { state.withLock { $0.hash ^ $0.count } }

  /// What must not happen; the first few of a run are enough.
  var complaints: [String] { state.withLock { $0.complaints } }

  func complain(_ text: String) {
    record("wrong", text)
    state.withLock { if $0.complaints.count < 5 { $0.complaints.append(text) } }
  }

  func record(_ what: StaticString, _ name: String, _ number: Int64? = nil) {
    let moment = now()
    state.withLock { state in
      state.add(Line(moment: moment, what: what, subject: .name(name), number: number))
      state.mix(name.utf8)
      state.mix(UInt64(bitPattern: number ?? -1))
    }
  }

  /// A frame's checksum stands for all of it.
  func record(_ what: StaticString, _ lane: SimulatedLane, _ envelope: Envelope, _ frame: [UInt8]) {
    let moment = now()
    state.withLock { state in
      state.add(
        Line(
          moment: moment, what: what,
          subject: .message(envelope, from: lane.owner.name, to: lane.address), number: nil))
      state.mix(frame[9..<13])
      state.mix(UInt64(frame.count))
    }
  }

  /// The last lines, for a person who looks for what went wrong.
  var end: String {
    state.withLock { Array($0.lines.suffix($0.limit)) }.map(Self.text).joined(separator: "\n")
  }

  private static func text(_ line: Line) -> String {
    let time = line.moment.milliseconds(since: SimulatedLoop.start)
    let number = line.number.map { " \($0)" } ?? ""
    return switch line.subject {
    case .name(let name): "\(time) \(line.what): \(name)\(number)"
    case .message(let envelope, let from, let to):
      "\(time) \(line.what): \(from) to \(to): \(summary(of: envelope))"
    }
  }
}
