import JSONQuery
import Pipeline

extension FleetSize {
  func write(to report: inout JSONWriter) {
    report.beginObject("wanted")
    report.member("fetchers", fetchers)
    report.member("decoders", decoders)
    report.endObject()
  }
}

extension RefusalReport {
  /// Nothing when all were let in.
  func write(to report: inout JSONWriter) {
    guard total > 0 else { return }
    report.beginObject("refused_peers")
    report.member("total", total)
    report.objects("latest", of: peers) { report, peer in
      report.member("key", peer.key)
      report.member("address", peer.address)
      report.member("times", peer.times)
      report.member("ms_ago", peer.millisecondsAgo)
    }
    report.endObject()
  }
}

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
