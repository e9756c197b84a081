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
    guard let year, let index = months.firstIndex(of: month), let day = number(day),
      let seconds = seconds(time), CivilDate.isDay(day, of: Int64(index) + 1, year)
    else { return nil }
    let days = CivilDate.days(year: year, month: Int64(index) + 1, day: day)
    return Moment(unixMilliseconds: (days * 86_400 + seconds) * 1_000)
  }

  /// Seconds since midnight; a leap second counts as the one after it.
  private static func seconds(_ time: String) -> Int64? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
      let hours = number(parts[0]), let minutes = number(parts[1]), let seconds = number(parts[2]),
      hours < 24, minutes < 60, seconds <= 60
    else { return nil }
    return hours * 3_600 + minutes * 60 + seconds
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
