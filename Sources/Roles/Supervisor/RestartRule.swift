public import Posix

/// When a worker that ended starts again: after 100 ms, then twice as long each time up to 5 s, and from the beginning
/// once one has lived for 10 s. A pure value.
public struct RestartRule: Hashable, Sendable {
  public enum Order: Hashable, Sendable {
    case start(afterMilliseconds: Int64)
    /// It would only end the same way.
    case giveUp
  }

  static let firstWait: Int64 = 100
  static let longestWait: Int64 = 5_000
  static let soundLife: Int64 = 10_000
  /// A worker ends with it when what it was told to use can never be used as it is; sysexits.h calls it EX_CONFIG.
  public static let hopelessExit: Int32 = 78
  /// Exit codes of a command line or an input that makes no sense, and of what cannot work.
  static let hopeless: Set<Int32> = [64, 65, hopelessExit]

  private var wait = firstWait

  public init() {}

  public mutating func ended(_ ending: ChildEnding, afterMilliseconds life: Int64) -> Order {
    if case .exited(let status) = ending, Self.hopeless.contains(status) { return .giveUp }
    if life >= Self.soundLife { wait = Self.firstWait }
    defer { wait = min(Self.longestWait, wait * 2) }
    return .start(afterMilliseconds: wait)
  }
}
