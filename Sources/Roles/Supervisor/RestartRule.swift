package import Posix

/// When a worker that ended starts again: after 100 ms, then twice as long each time up to 5 s, and from the beginning
/// once one has lived for 10 s. One that ended in order after a second or more has not failed. A pure value.
package struct RestartRule: Hashable, Sendable {
  package enum Order: Hashable, Sendable {
    case start(afterMilliseconds: Int64)
    /// It ended to be started again, which is no failure.
    case renew(afterMilliseconds: Int64)
    /// The fleet wanted it to end.
    case end
    /// It would only end the same way.
    case giveUp
  }

  static let firstWait: Int64 = 100
  static let longestWait: Int64 = 5_000
  static let soundLife: Int64 = 10_000
  static let orderlyLife: Int64 = 1_000
  /// A worker ends with it if its settings can never work as they are; sysexits.h calls it EX_CONFIG.
  package static let permanentExit: Int32 = 78
  /// Exit codes of a command line or an input that makes no sense, and of what cannot work.
  static let permanent: Set<Int32> = [64, 65, permanentExit]

  /// A worker ends with it when another is to start in its place, as after a reload; sysexits.h calls it EX_TEMPFAIL.
  static let startAgainExit: Int32 = 75

  /// A worker ends with it when it was drained by its fleet.
  package static let drainedExit: Int32 = 79

  /// A worker ends with it when it cannot have its ledger or its address now; sysexits.h calls it EX_UNAVAILABLE. One
  /// that had them before gets them again as soon as they are free. One that never had them tries a moment longer,
  /// because a fleet that was killed may have them still, and then takes them for another process's.
  static let unavailableExit: Int32 = 69
  static let mostRefusals = 3

  private var wait = firstWait
  private var hasServed = false
  private var refusals = 0
  /// What cannot work now has worked before: files of settings may be mended while the others go on.
  private var hasLivedSoundly = false

  package init() {}

  package mutating func ended(_ ending: ChildEnding, afterMilliseconds life: Int64) -> Order {
    if ending == .exited(Self.drainedExit) { return .end }
    defer { if life >= Self.soundLife { hasLivedSoundly = true } }
    if case .exited(let status) = ending, Self.permanent.contains(status) {
      return hasLivedSoundly ? .start(afterMilliseconds: Self.longestWait) : .giveUp
    }
    if ending == .exited(Self.unavailableExit) { refusals += 1 } else { hasServed = true }
    if !hasServed, refusals > Self.mostRefusals { return .giveUp }
    let isRenewal = ending == .exited(Self.startAgainExit)
    let pause = pause(isInOrder: isRenewal || ending == .exited(0), afterMilliseconds: life)
    return isRenewal ? .renew(afterMilliseconds: pause) : .start(afterMilliseconds: pause)
  }

  private mutating func pause(isInOrder: Bool, afterMilliseconds life: Int64) -> Int64 {
    if isInOrder, life >= Self.orderlyLife { return Self.firstWait }
    if life >= Self.soundLife { wait = Self.firstWait }
    defer { wait = min(Self.longestWait, wait * 2) }
    return wait
  }
}

/// Which of the children of a kind start or end so that there are as many as wanted. A pure value.
package struct ScaleRule: Hashable, Sendable {
  package private(set) var starting: [Int] = []
  package private(set) var ending: [Int] = []

  /// - Parameters:
  ///   - staying: The numbers of those that run and are not to end.
  ///   - leaving: Of those that end already; a new one does not get such a number.
  package init(to count: Int, staying: Set<Int>, leaving: Set<Int>) {
    ending = Array(staying.sorted().dropFirst(count))
    var number = 1
    while starting.count < count - staying.count {
      if !staying.contains(number), !leaving.contains(number) { starting.append(number) }
      number += 1
    }
  }
}
