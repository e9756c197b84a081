/// How much of a body there is.
enum BodyEnd: Hashable, Sendable {
  case whole
  /// There would be more than its cap allows.
  case cut
  /// It stopped in the middle.
  case early
  case broken
  /// Undone as its headers say, it is gzip once more.
  case codedAgain
  /// Between its codings it would be larger than this.
  case swollen(cap: Int)
  /// To decode it takes a larger window than any body gets.
  case windowTooLarge

  /// - Parameter mostBetween: What a body may take between two codings.
  /// - Returns: Nil when the caller does not need it.
  init?(_ fault: CodingFault, mostBetween: Int) {
    switch fault {
    case .broken, .wantsMemory: self = .broken
    case .windowTooLarge: self = .windowTooLarge
    case .swollen: self = .swollen(cap: mostBetween)
    case .unwanted: return nil
    }
  }
}
