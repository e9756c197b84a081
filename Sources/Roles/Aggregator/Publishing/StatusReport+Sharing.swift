import JSONQuery
import Pipeline

extension StatusReport {
  /// What users have paused, besides batches.
  struct Pauses: Sendable {
    private static let mostHosts = 100

    var isAll = false
    var hosts: Set<String> = []

    func write(to report: inout JSONWriter) {
      guard isAll || !hosts.isEmpty else { return }
      report.beginObject("paused")
      report.member("all", isAll)
      report.beginArray("hosts")
      for host in hosts.sorted().prefix(Self.mostHosts) { report.string(host) }
      report.endArray()
      report.member("others", max(0, hosts.count - Self.mostHosts))
      report.endObject()
    }
  }
}

extension BatchTerms {
  /// Writes those that differ from the usual ones as members of an object.
  func write(to object: inout JSONWriter) {
    if share != Self.normalWeight { object.member("weight", share) }
    if let atMost, atMost > 0 { object.member("at_most", atMost) }
    if let rate { object.member("rate", rate) }
    object.member("starts_at", startsAt?.timestamp)
    object.member("deadline", deadline?.timestamp)
  }
}
