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
