package import Pipeline

/// Which hosts are in trouble, for people.
extension HostHealth {
  package struct Report: Encodable, Hashable, Sendable {
    package enum State: String, Encodable, Sendable {
      case slow
      case givenUp = "given_up"
    }

    package var host: String
    package var state: State
    /// Failures in a row, and what the last one was.
    package var failures: Int
    package var kind: FailureKind
    /// In how many milliseconds it is asked again.
    package var inMs: Int64
  }

  /// Those that are given up first, then those that failed most often, equals by name.
  package func worst(at now: Moment) -> [Report] {
    Array(reports(at: now).sorted { Self.order($0) < Self.order($1) }.prefix(GivenUpHosts.mostNamed))
  }

  private static func order(_ report: Report) -> (Int, Int, String) {
    (report.state == .givenUp ? 0 : 1, -report.failures, report.host)
  }
}
