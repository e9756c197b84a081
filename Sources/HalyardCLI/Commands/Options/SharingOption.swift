/// Options by which many share a fleet.
enum SharingOption {
  static let priority = TypedOption<String?>.text(
    OptionLabel(
      name: "priority", placeholder: "WEIGHT", group: .limits,
      summary:
        "Share of the fleet beside other batches: low (1), normal (10), high (100), or a number up to 1000;"
        + " else normal, or what the batch has"))

  static let atMost = TypedOption<Int?>.integer(
    OptionLabel(
      name: "at-most", placeholder: "N", group: .limits,
      summary: "Limit of jobs of the batch in progress at once; 0 removes it"),
    default: "none", in: 0...1_000_000)

  static let rate = TypedOption<String?>.text(
    OptionLabel(
      name: "rate", placeholder: "N/s", group: .limits,
      summary:
        "Start at most N jobs of the batch in a second, or N/m in a minute, N/h in an hour; 0 removes the"
        + " limit"))

  static let at = TypedOption<String?>.text(
    OptionLabel(
      name: "at", placeholder: "TIME", group: .limits,
      summary: "Start no job of the batch before TIME: 2026-12-24T18:00:00Z, 18:00, or +2h"))

  static let finishBy = TypedOption<String?>.text(
    OptionLabel(
      name: "finish-by", placeholder: "TIME", group: .limits,
      summary: "End the jobs that are still open at TIME with the failure 'deadline'"))

  /// Those of `submit`.
  static let terms = [priority.spec, atMost.spec, rate.spec, at.spec, finishBy.spec]

  static let host = TypedOption<String?>.text(
    OptionLabel(
      name: "host", placeholder: "HOST", group: .general,
      summary: "A host instead of a batch, with its port unless that is the usual one"))

  static let pauseTime = TypedOption<Int64?>.duration(
    OptionLabel(
      name: "for", placeholder: "TIME", group: .general, summary: "Resume by itself after TIME, such as 1h"),
    default: "until resumed", in: 1_000...3_650 * 24 * 3_600_000)

  static let reason = TypedOption<String?>.text(
    OptionLabel(
      name: "reason", placeholder: "TEXT", group: .general,
      summary: "Why, for those who wait behind the pause"))

  static let all = TypedOption<Bool>.flag(
    OptionLabel(name: "all", group: .general, summary: "Everything instead of a batch"), negatable: false)
}
