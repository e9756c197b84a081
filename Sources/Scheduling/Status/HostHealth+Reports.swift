package import Pipeline

/// Which hosts are in trouble, for people.
extension HostHealth {
  package struct Report: Hashable, Sendable {
    package var host: String
    /// Failures in a row, and what the last one was.
    package var failures: Int
    package var kind: FailureKind
    package var isGivenUp: Bool
    /// When it is asked again.
    package var until: Moment
  }

  /// Those that are given up first, then those that failed most often, equals by name.
  package func worst(at now: Moment) -> [Report] {
    Array(reports(at: now).sorted { Self.order($0) < Self.order($1) }.prefix(GivenUpHosts.mostNamed))
  }

  private static func order(_ report: Report) -> (Int, Int, String) {
    (report.isGivenUp ? 0 : 1, -report.failures, report.host)
  }
}
