import Pipeline
import Testing

@testable import Roles

struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let now = Moment(unixMilliseconds: 784_111_777_000)

  @Test(arguments: [
    // seconds
    ("0", 0), ("1", 1_000), ("120", 120_000), (" 7 ", 7_000), ("007", 7_000),
    // more than the cap, also beyond all numbers
    ("301", 300_000), ("86400", 300_000), ("99999999999999999999999999", 300_000),
    // the three forms of a date, ten seconds ahead
    ("Sun, 06 Nov 1994 08:49:47 GMT", 10_000), ("Sunday, 06-Nov-94 08:49:47 GMT", 10_000),
    ("Sun Nov  6 08:49:47 1994", 10_000), ("Sun Nov 06 08:49:47 1994", 10_000),
    // over the end of a minute, a day, a month; a leap second
    ("Sun, 06 Nov 1994 08:50:00 GMT", 23_000), ("Sun, 06 Nov 1994 08:49:60 GMT", 23_000),
    // long ahead, and past
    ("Mon, 07 Nov 1994 08:49:37 GMT", 300_000), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    // two digits are the latest year that is at most 50 years ahead
    ("Sunday, 06-Nov-44 08:49:37 GMT", 300_000), ("Sunday, 06-Nov-45 08:49:37 GMT", 0),
    // a weekday that it was not
    ("Mon, 06 Nov 1994 08:49:47 GMT", 10_000),
  ])
  func `a server says how long it wants peace`(text: String, milliseconds: Int64) {
    #expect(RetryAfter.milliseconds(text, at: Self.now) == milliseconds)
  }

  @Test(arguments: [
    "", " ", "soon", "-1", "+1", "1.5", "1,2", "1s", "0x10", "１２",
    "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Day, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 94", "06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "1994-11-06T08:49:37Z",
  ])
  func `a value that is not a time is ignored`(text: String) {
    #expect(RetryAfter.milliseconds(text, at: Self.now) == nil)
  }

  @Test func `a date is compared with the server's own clock where that is told`() {
    let ask = { RetryAfter.milliseconds("Sun, 06 Nov 1994 12:00:30 GMT", date: $0, at: Self.now) }
    #expect(ask("Sun, 06 Nov 1994 12:00:00 GMT") == 30_000)
    #expect(ask("no date") == 300_000)
    #expect(ask(nil) == 300_000)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (784_111_777_000, "1994-11-06T08:49:37Z"),
    (951_782_399_999, "2000-02-28T23:59:59Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
  ])
  func `a moment has its date`(milliseconds: Int64, text: String) {
    #expect(CivilDate(Moment(unixMilliseconds: milliseconds)).description == text)
  }

  @Test func `every day of four hundred years is the date it is written as`() throws {
    for day: Int64 in stride(from: 0, to: 146_097, by: 13) {
      let moment = Moment(unixMilliseconds: day * 86_400_000)
      let date = CivilDate(moment)
      let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
      ]
      let text =
        "Sun, \(date.day < 10 ? "0" : "")\(date.day) \(months[Int(date.month) - 1]) \(date.year) 00:00:00 GMT"
      try #require(HTTPDate.moment(text, at: moment) == moment, "\(text)")
    }
  }
}
