/// A point in time as Unix milliseconds, so that it can be stored and compared across processes.
public struct Moment: Hashable, Comparable, Sendable {
  public var unixMilliseconds: Int64

  public init(unixMilliseconds: Int64) {
    self.unixMilliseconds = unixMilliseconds
  }

  public static func < (left: Moment, right: Moment) -> Bool {
    left.unixMilliseconds < right.unixMilliseconds
  }

  /// This moment, moved by a number of milliseconds; saturates instead of trapping.
  public func advanced(byMilliseconds milliseconds: Int64) -> Moment {
    let (sum, overflow) = unixMilliseconds.addingReportingOverflow(milliseconds)
    guard overflow else { return Moment(unixMilliseconds: sum) }
    return Moment(unixMilliseconds: milliseconds > 0 ? .max : .min)
  }

  /// Milliseconds from `earlier` to this moment; negative when `earlier` is later.
  public func milliseconds(since earlier: Moment) -> Int64 {
    let (difference, overflow) = unixMilliseconds.subtractingReportingOverflow(earlier.unixMilliseconds)
    guard overflow else { return difference }
    return unixMilliseconds > earlier.unixMilliseconds ? .max : .min
  }
}

/// The port to time. `now` never goes backwards within a process.
public protocol PipelineClock: Sendable {
  var now: Moment { get }

  /// Unix microseconds, for traces: a job's way through all roles can be shorter than a millisecond.
  var microseconds: Int64 { get }

  /// Suspends until `moment`; throws `CancellationError` when the task is cancelled before.
  func sleep(until moment: Moment) async throws
}

extension PipelineClock {
  public var microseconds: Int64 { now.unixMilliseconds.multipliedReportingOverflow(by: 1_000).partialValue }
}

/// The port to chance: ids and jitter. Tests pass a seeded one.
public struct Randomness: Sendable {
  private let source: @Sendable () -> UInt64

  public init(_ source: @escaping @Sendable () -> UInt64) {
    self.source = source
  }

  /// 64 uniform bits.
  public func bits() -> UInt64 { source() }

  /// Uniform in 0..<1.
  public func fraction() -> Double { Double(source() >> 11) / Double(UInt64(1) << 53) }

  /// A fresh id.
  public func uuid(at now: Moment) -> UUIDv7 {
    UUIDv7(at: now, uniqueHigh: UInt16(truncatingIfNeeded: source()), uniqueLow: source())
  }
}

/// Rings at a moment. One task serves many waits: it is set anew only for an earlier moment.
package struct Alarm: Sendable {
  private var moment: Moment?
  private var task: Task<Void, Never>?

  package init() {}

  package mutating func set(
    for wanted: Moment, _ clock: any PipelineClock, ring: @escaping @Sendable () -> Void
  ) {
    if let moment, moment <= wanted, moment > clock.now { return }
    task?.cancel()
    moment = wanted
    task = Task {
      while clock.now < wanted {
        guard (try? await clock.sleep(until: wanted)) != nil else { return }
      }
      ring()
    }
  }

  package mutating func cancel() {
    task?.cancel()
    (moment, task) = (nil, nil)
  }
}
