import Pipeline

/// Options by which many share a fleet.
enum SharingOption {
  static let priority = Option<UInt32?>(
    "--priority WEIGHT", .limits,
    .text(
      parsing(
        weight,
        otherwise: "is neither low, normal, high nor a whole number from 1 to \(BatchTerms.mostWeight)")),
    "Share of the fleet beside other batches: low (1), normal (10), high (100), or a number up to 1000;"
      + " else normal, or what the batch has")

  private static func weight(_ text: String) -> UInt32? {
    let named = [
      "low": BatchTerms.lowWeight, "normal": BatchTerms.normalWeight, "high": BatchTerms.highWeight,
    ]
    guard let weight = named[text] ?? UInt32(text), (1...BatchTerms.mostWeight).contains(weight) else {
      return nil
    }
    return weight
  }

  static let atMost = Option<Int?>(
    "--at-most N", .limits, .integer(0...1_000_000, default: "none"),
    "Limit of jobs of the batch in progress at once; 0 removes it")

  static let rate = Option<UInt32?>(
    "--rate N/s", .limits,
    .text(parsing(BatchTerms.perHour, otherwise: "is not a rate such as 5/s, 30/m or 100/h, or 0")),
    "Start at most N jobs of the batch in a second, or N/m in a minute, N/h in an hour; 0 removes the"
      + " limit")

  static let at = Option<String?>(
    "--at TIME", .limits, .text, "Start no job of the batch before TIME: 2026-12-24T18:00:00Z, 18:00, or +2h")

  static let finishBy = Option<String?>(
    "--finish-by TIME", .limits, .text,
    "End the jobs that are still open at TIME with the failure 'deadline'")

  /// Those of `submit`.
  static let terms = [OptionSpec](priority, atMost, rate, at, finishBy)

  static let host = Option<String?>(
    "--host HOST", .general, .subject, .text,
    "A host instead of a batch, with its port unless that is the usual one")

  static let pauseTime = Option<Int64?>(
    "--for TIME", .general, .integer(1_000...3_650 * 24 * 3_600_000, as: .time, default: "until resumed"),
    "Resume by itself after TIME, such as 1h")

  static let reason = Option<String?>(
    "--reason TEXT", .general, .text, "Why, for those who wait behind the pause")

  static let all = Option<Bool>("--all", .general, .subject, .flag, "Everything instead of a batch")
}
