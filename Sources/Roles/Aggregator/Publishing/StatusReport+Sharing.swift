package import JSONQuery
package import Pipeline

extension StatusReport {
  /// What users have paused.
  struct Pauses: Sendable {
    private static let most = 100

    var known: [KnownPause] = []

    func count(_ isCounted: (PauseScope) -> Bool) -> Int { known.count { isCounted($0.scope) } }

    /// How long the oldest has lasted.
    func milliseconds(at now: Moment) -> Int64? {
      known.map(\.pause.at).min().map { max(0, now.milliseconds(since: $0)) }
    }

    /// The oldest first.
    func write(to report: inout JSONWriter) {
      guard !known.isEmpty else { return }
      let sorted = known.sorted { ($0.pause.at, "\($0.scope)") < ($1.pause.at, "\($1.scope)") }
      report.objects("paused", of: sorted.prefix(Self.most)) { report, known in
        switch known.scope {
        case .all: report.member("all", true)
        case .host(let host): report.member("host", host)
        case .batch(let batch): report.member("batch", batch.description)
        }
        report.member("since", known.pause.at.timestamp)
        report.member("until", known.pause.until?.timestamp)
        report.member("by", known.pause.by)
        report.member("reason", known.pause.reason)
      }
      report.member("other_pauses", max(0, known.count - Self.most))
    }
  }
}

extension BatchTerms {
  /// Writes those that differ from the usual ones as members of an object.
  package func write(to object: inout JSONWriter) {
    if share != Self.normalWeight { object.member("weight", share) }
    if let atMost, atMost > 0 { object.member("at_most", atMost) }
    if let rate { object.member("rate", rate) }
    object.member("starts_at", startsAt?.timestamp)
    object.member("deadline", deadline?.timestamp)
  }
}
