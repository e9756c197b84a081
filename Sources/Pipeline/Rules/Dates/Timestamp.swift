extension Moment {
  /// Reads a moment as RFC 3339 writes it, with seconds or without: `2026-11-22T08:49:37.120Z`, `2026-11-22T09:49+01:00`.
  public init?(timestamp text: String) {
    var scanner = TimestampScanner(Array(text.utf8)[...])
    guard let year = scanner.number(4), scanner.skips("-"), let month = scanner.number(2), scanner.skips("-"),
      let day = scanner.number(2), CivilDate.isDay(day, of: month, year), scanner.skips("T", "t", " "),
      let time = scanner.timeOfDay(), let zone = scanner.zone(), scanner.isAtEnd
    else { return nil }
    let days = CivilDate.days(year: year, month: month, day: day)
    self.init(unixMilliseconds: days * 86_400_000 + time - zone)
  }
}

extension CivilDate {
  static func isDay(_ day: Int64, of month: Int64, _ year: Int64) -> Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let next =
      month == 12 ? days(year: year + 1, month: 1, day: 1) : days(year: year, month: month + 1, day: 1)
    return day <= next - days(year: year, month: month, day: 1)
  }
}

private struct TimestampScanner {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ digits: Int) -> Int64? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else {
      return nil
    }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  mutating func skips(_ choices: Unicode.Scalar...) -> Bool {
    guard let first = rest.first, choices.contains(Unicode.Scalar(first)) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Milliseconds since midnight.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), hour < 24, skips(":"), let minute = number(2), minute < 60 else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    guard skips(":") else { return milliseconds }
    guard let second = number(2), second <= 60 else { return nil }
    milliseconds += second * 1_000
    guard skips(".") else { return milliseconds }
    var unit: Int64 = 100
    guard let first = number(1) else { return nil }
    milliseconds += first * unit
    while let digit = number(1) {
      unit /= 10
      milliseconds += digit * unit
    }
    return milliseconds
  }

  /// Milliseconds that the zone is ahead.
  mutating func zone() -> Int64? {
    if skips("Z", "z") { return 0 }
    let isAhead = rest.first == UInt8(ascii: "+")
    guard skips("+", "-"), let hours = number(2), hours < 24, skips(":"), let minutes = number(2),
      minutes < 60
    else { return nil }
    let offset = (hours * 60 + minutes) * 60_000
    return isAhead ? offset : -offset
  }
}
