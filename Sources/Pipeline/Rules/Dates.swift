/// A moment in the calendar, in UTC.
public struct CivilDate: Hashable, Sendable, CustomStringConvertible {
  public var year: Int64
  public var month: Int64
  public var day: Int64
  private var secondOfDay: Int64

  public init(_ moment: Moment) {
    let seconds = moment.unixMilliseconds.flooredQuotient(by: 1_000)
    let days = seconds.flooredQuotient(by: 86_400)
    secondOfDay = seconds - days * 86_400
    // Years are counted from March, so that the leap day is the last of its year; eras of 400 years repeat themselves.
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1 January 1970 to a date of the Gregorian calendar.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `2026-11-22T08:49:37Z`
  public var description: String { String(decoding: bytes(), as: UTF8.self) }
}

extension Moment {
  /// The moment as RFC 3339 writes it, in UTC and to the millisecond: `2026-11-22T08:49:37.120Z`.
  public var timestamp: String {
    let date = CivilDate(self)
    let rest = unixMilliseconds % 1_000
    return String(decoding: date.bytes(milliseconds: rest < 0 ? rest + 1_000 : rest), as: UTF8.self)
  }
}

extension CivilDate {
  /// Every row has one, so it is put together digit by digit.
  fileprivate func bytes(milliseconds: Int64? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func add(_ number: Int64, _ digits: Int, _ end: Unicode.Scalar) {
      var divisor: Int64 = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
        divisor /= 10
      }
      bytes.append(UInt8(ascii: end))
    }
    add(min(max(year, 0), 9_999), 4, "-")
    add(month, 2, "-")
    add(day, 2, "T")
    add(secondOfDay / 3_600, 2, ":")
    add(secondOfDay / 60 % 60, 2, ":")
    add(secondOfDay % 60, 2, milliseconds == nil ? "Z" : ".")
    if let milliseconds { add(milliseconds, 3, "Z") }
    return bytes
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// The three forms of a date in HTTP, of which senders may write only the first (RFC 9110, 5.6.7):
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// The day of the week must be one, and need not be the right one.
public enum HTTPDate {
  /// - Parameter now: Decides the century of a year of two digits: the latest that is at most 50 years ahead.
  /// - Returns: nil when the text is no date.
  public static func moment(_ text: String, at now: Moment) -> Moment? {
    var words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let weekday = words.first, isWeekday(weekday) else { return nil }
    words.removeFirst()
    if !weekday.hasSuffix(",") {
      // asctime: month, day, time, year.
      guard words.count == 4 else { return nil }
      return moment(day: words[1], month: words[0], year: year(words[3]), time: words[2])
    }
    guard words.last == "GMT" else { return nil }
    words.removeLast()
    if words.count == 2 {
      let parts = words[0].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[2].utf8.count == 2 else { return nil }
      let year = number(parts[2]).map { fullYear($0, at: now) }
      return moment(day: parts[0], month: parts[1], year: year, time: words[1])
    }
    guard words.count == 4 else { return nil }
    return moment(day: words[0], month: words[1], year: year(words[2]), time: words[3])
  }

  /// The first form.
  public static func text(of moment: Moment) -> String {
    let date = CivilDate(moment)
    let days = CivilDate.days(year: date.year, month: date.month, day: date.day)
    // The days are counted from a Thursday.
    let weekday = weekdays[Int(((days + 3) % 7 + 7) % 7)].prefix(3)
    let (day, time) = ("\(date)".dropFirst(8).prefix(2), "\(date)".dropFirst(11).prefix(8))
    return "\(weekday), \(day) \(months[Int(date.month) - 1]) \(date.year) \(time) GMT"
  }

  private static let weekdays = ["Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isWeekday(_ word: String) -> Bool {
    let name = word.hasSuffix(",") ? word.dropLast() : word[...]
    return weekdays.contains { $0.prefix(3) == name || $0 + "day" == name }
  }

  private static func moment(day: String, month: String, year: Int64?, time: String) -> Moment? {
    var clock = TimestampScanner(Array(time.utf8)[...])
    guard let year, let index = months.firstIndex(of: month), let day = number(day),
      time.utf8.count == 8, let time = clock.timeOfDay(), clock.isAtEnd,
      CivilDate.isDay(day, of: Int64(index) + 1, year)
    else { return nil }
    let days = CivilDate.days(year: year, month: Int64(index) + 1, day: day)
    return Moment(unixMilliseconds: days * 86_400_000 + time)
  }

  private static func year(_ text: String) -> Int64? {
    text.utf8.count == 4 ? number(text) : nil
  }

  private static func fullYear(_ twoDigits: Int64, at now: Moment) -> Int64 {
    let latest = CivilDate(now).year + 50
    let inItsCentury = latest - latest % 100 + twoDigits
    return inItsCentury > latest ? inItsCentury - 100 : inItsCentury
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}

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
    let date = CivilDate(Moment(unixMilliseconds: days(year: year, month: month, day: day) * 86_400_000))
    return (date.year, date.month, date.day) == (year, month, day)
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

  /// Milliseconds since midnight; a leap second counts as the one after it.
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
