import Pipeline
import Posix

/// What a user asks of a batch as a whole, read from the options of `submit`.
enum TermsText {
  private static let weights = [
    "low": BatchTerms.lowWeight, "normal": BatchTerms.normalWeight, "high": BatchTerms.highWeight,
  ]

  /// - Parameter now: By the clock of this machine.
  static func terms(_ arguments: ParsedArguments, at now: Moment) throws(UsageError) -> BatchTerms {
    var terms = BatchTerms(name: arguments[FleetOption.name])
    terms.weight = try weight(arguments)
    terms.atMost = arguments[SharingOption.atMost].map { UInt32(clamping: $0) }
    if let rate = arguments[SharingOption.rate] {
      guard let perHour = BatchTerms.perHour(rate) else {
        throw arguments.rejection(
          of: SharingOption.rate, "'\(rate)' is not a rate such as 5/s, 30/m or 100/h, or 0")
      }
      terms.perHour = perHour
    }
    terms.startsAt = try moment(SharingOption.at, arguments, at: now)
    terms.deadline = try moment(SharingOption.finishBy, arguments, at: now)
    if let deadline = terms.deadline, deadline <= now {
      throw arguments.rejection(of: SharingOption.finishBy, "it is over already")
    }
    if let start = terms.startsAt, let deadline = terms.deadline, deadline <= start {
      throw arguments.rejection(of: SharingOption.finishBy, "it is not after --at")
    }
    return terms
  }

  private static func weight(_ arguments: ParsedArguments) throws(UsageError) -> UInt32? {
    guard let text = arguments[SharingOption.priority] else { return nil }
    guard let weight = weights[text] ?? UInt32(text), (1...BatchTerms.mostWeight).contains(weight) else {
      throw arguments.rejection(
        of: SharingOption.priority,
        "'\(text)' is neither low, normal, high nor a whole number from 1 to \(BatchTerms.mostWeight)")
    }
    return weight
  }

  private static func moment(
    _ option: TypedOption<String?>, _ arguments: ParsedArguments, at now: Moment
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
