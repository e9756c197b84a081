/// A time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum ResponseDate {
  /// - Parameter seconds: Since 1970.
  public static func text(_ seconds: Int64) -> String {
    let days = Int(floorDivide(seconds, 86_400))
    let rest = Int(seconds - Int64(days) * 86_400)
    let (year, month, day) = civil(days)
    let weekday = weekdays[((days + 4) % 7 + 7) % 7]
    let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map(padded).joined(separator: ":")
    return "\(weekday), \(padded(day)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }

  /// Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is their last.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = Int(floorDivide(Int64(shifted), 146_097))
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let isBehindTurn = month >= 10
    return (year + era * 400 + (isBehindTurn ? 1 : 0), isBehindTurn ? month - 9 : month + 3, day)
  }
}
