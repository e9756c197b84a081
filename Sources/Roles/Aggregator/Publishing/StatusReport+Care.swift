import JSONQuery
import Pipeline

extension StatusReport.Care {
  func write(to report: inout JSONWriter) {
    report.beginObject("ledger")
    report.memberOrNull("keeps_ms", keepsMilliseconds)
    size?.write(to: &report)
    if let work {
      report.key("work")
      report.raw(work.json)
    }
    report.endObject()
  }
}
