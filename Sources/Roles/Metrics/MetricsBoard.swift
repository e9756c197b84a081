package import Pipeline
import Posix

/// What a process says of itself.
package struct MetricsPage: Sendable {
  package var families: [MetricFamily]
  /// Why it cannot do its work; nil when it can.
  package var trouble: String?
  /// When its loop came round last.
  package var moment: Moment

  package init(_ families: [MetricFamily], trouble: String? = nil, at moment: Moment) {
    (self.families, self.trouble, self.moment) = (families, trouble, moment)
  }
}

/// Read by a thread that serves it, while a role's loop writes; neither waits for the other.
package protocol MetricsSource: Sendable {
  /// nil before the loop came round for the first time.
  var page: MetricsPage? { get }
}

/// Keeps the page that was shown last.
package final class MetricsBoard: MetricsSource {
  private let shown = Lock<MetricsPage?>(nil)

  package init() {}

  package var page: MetricsPage? { shown.value }

  package func show(_ page: MetricsPage) { shown.value = page }
}
