import Pipeline
import Testing

struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_007, "2000-02-29T00:00:00.007Z"),
    (1_795_337_377_120, "2026-11-22T08:49:37.120Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (1_709_251_199_050, "2024-02-29T23:59:59.050Z"),
  ])
  func `a moment is written as RFC 3339 has it`(_ milliseconds: Int64, _ text: String) {
    #expect(Moment(unixMilliseconds: milliseconds).timestamp == text)
    #expect(Moment(timestamp: text) == Moment(unixMilliseconds: milliseconds))
  }

  @Test(arguments: [Int64.min, .max])
  func `no moment is beyond writing`(_ milliseconds: Int64) {
    #expect(Moment(unixMilliseconds: milliseconds).timestamp.utf8.count == 24)
  }

  @Test(arguments: [
    "2026-11-22T08:49:37.12Z", "2026-11-22 08:49:37.120000Z", "2026-11-22t09:49:37.120+01:00",
    "2026-11-22T03:19:37.120-05:30",
  ])
  func `the same moment is read however it is written`(text: String) {
    #expect(Moment(timestamp: text) == Moment(unixMilliseconds: 1_795_337_377_120))
  }

  @Test(arguments: [
    "", "2026-11-22", "2026-11-22T08:49:37", "2026-13-01T00:00Z", "2026-02-29T00:00Z", "2026-00-10T00:00Z",
    "2026-11-22T24:00Z", "2026-11-22T08:60Z", "2026-11-22T08:49:61Z", "2026-11-22T08:49Zx",
    "2026-11-22T08:49:37.Z",
    "2026-11-22T08:49+1:00",
  ])
  func `what is no moment is not read`(text: String) {
    #expect(Moment(timestamp: text) == nil)
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
  ])
  func `dates are written as HTTP has them`(seconds: Int64, text: String) {
    #expect(HTTPDate.text(of: Moment(unixMilliseconds: seconds * 1_000)) == text)
  }
}
