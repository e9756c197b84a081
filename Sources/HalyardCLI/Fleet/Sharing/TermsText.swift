import Pipeline
import Posix

/// What a user asks of a batch as a whole, read from the options of `submit`.
enum TermsText {
  /// - Parameter now: By the clock of this machine.
  static func terms(_ arguments: ParsedArguments, at now: Moment) throws(UsageError) -> BatchTerms {
    var terms = BatchTerms(name: arguments[FleetOption.name])
    terms.weight = arguments[SharingOption.priority]
    terms.atMost = arguments[SharingOption.atMost].map { UInt32(clamping: $0) }
    terms.perHour = arguments[SharingOption.rate]
    terms.startsAt = try moment(SharingOption.at, arguments, at: now)
    terms.deadline = try moment(SharingOption.finishBy, arguments, at: now)
    guard let deadline = terms.deadline else { return terms }
    try arguments.require(deadline > now, of: SharingOption.finishBy, "it is over already")
    try arguments.require(
      deadline > terms.startsAt ?? now, of: SharingOption.finishBy, "it is not after --at")
    return terms
  }

  private static func moment(
    _ option: Option<String?>, _ arguments: ParsedArguments, at now: Moment
  ) throws(UsageError) -> Moment? {
    guard let text = arguments[option] else { return nil }
    guard let moment = moment(text, at: now) else {
      throw arguments.rejection(
        of: option, "'\(text)' is not a time such as 2026-12-24T18:00:00Z, 18:00 or +2h")
    }
    return moment
  }

  /// A moment as RFC 3339 writes it, the next time that clocks show so late here, or so long from now on.
  static func moment(_ text: String, at now: Moment) -> Moment? {
    if text.hasPrefix("+") {
      return Quantity.milliseconds(String(text.dropFirst())).map { now.advanced(byMilliseconds: $0) }
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int32(parts[0]),
      let minute = Int32(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    {
      let seconds = SystemTime.next(hour: hour, minute: minute, after: now.unixMilliseconds / 1_000)
      return Moment(unixMilliseconds: seconds * 1_000)
    }
    return Moment(timestamp: text)
  }
}
