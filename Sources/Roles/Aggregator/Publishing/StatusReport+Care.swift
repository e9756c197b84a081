import JSONQuery
import Pipeline

extension StatusReport.Care {
  func write(to report: inout JSONWriter) {
    report.beginObject("ledger")
    report.memberOrNull("keeps_ms", keepsMilliseconds)
    size?.write(to: &report)
    report.beginObject("reserve")
    report.member("bytes", standing.reserve)
    report.member("given_up", standing.isReserveGivenUp)
    report.endObject()
    report.member("missing", standing.missing?.message)
    if let work {
      report.key("work")
      report.raw(work.json)
    }
    report.endObject()
  }
}
