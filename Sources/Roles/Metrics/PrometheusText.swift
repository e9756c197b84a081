/// Prometheus' text format, version 0.0.4.
package enum PrometheusText {
  package static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

  package static func write(_ families: [MetricFamily]) -> [UInt8] {
    var text = ""
    for family in families where !family.samples.isEmpty {
      text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples { write(sample, of: family, to: &text) }
    }
    return Array(text.utf8)
  }

  private static func write(_ sample: MetricFamily.Sample, of family: MetricFamily, to text: inout String) {
    func line(_ suffix: String, _ more: MetricFamily.Label?, _ value: String) {
      let labels = (sample.labels + (more.map { [$0] } ?? [])).map { "\($0.name)=\"\(escaped($0.value))\"" }
      text +=
        family.name + suffix + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(value)\n"
    }
    switch sample.value {
    case .whole(let value): line("", nil, "\(value)")
    case .number(let value): line("", nil, number(value))
    case .histogram(let histogram):
      var below: UInt64 = 0
      for (bound, count) in zip(histogram.bounds, histogram.counts) {
        below &+= count
        line("_bucket", .init(name: "le", value: number(bound)), "\(below)")
      }
      line("_bucket", .init(name: "le", value: "+Inf"), "\(histogram.count)")
      line("_sum", nil, number(histogram.sum))
      line("_count", nil, "\(histogram.count)")
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool = true) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// What is measured under one name, as Prometheus reads it.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// It only grows while the process lives.
    case counter
    case gauge
    case histogram
  }

  package enum Value: Hashable, Sendable {
    case whole(UInt64)
    case number(Double)
    case histogram(Histogram)
  }

  package struct Sample: Hashable, Sendable {
    package var labels: [Label]
    package var value: Value
  }

  package struct Label: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package var name: String
  package var kind: Kind
  /// One sentence, for people.
  package var help: String
  package var samples: [Sample] = []

  package init(_ name: String, _ kind: Kind, _ help: String) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  /// The same with one more sample.
  package func with(_ value: Value, _ labels: KeyValuePairs<String, String> = [:]) -> MetricFamily {
    var family = self
    family.samples.append(Sample(labels: labels.map { Label(name: $0.key, value: $0.value) }, value: value))
    return family
  }

  /// The same with one more count; fewer than none are none.
  func with(_ count: some BinaryInteger, _ labels: KeyValuePairs<String, String> = [:]) -> MetricFamily {
    with(.whole(UInt64(clamping: count)), labels)
  }

  /// The same with a count for each of the label's values.
  func with(_ counts: [(name: String, value: some BinaryInteger)], by label: String) -> MetricFamily {
    counts.reduce(self) { $0.with($1.value, [label: $1.name]) }
  }
}

/// How many of some times are no longer than each bound. Bounds are fixed, so that scrapes and processes can be added up.
package struct Histogram: Hashable, Sendable {
  /// Upper bounds in seconds, ascending.
  package let bounds: [Double]
  /// How many values are in each bucket, and beyond the last bound.
  package private(set) var counts: [UInt64]
  /// Of all values. Whole microseconds, so that it does not depend on the order of the values.
  private var microseconds: UInt64 = 0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// For a turn of a loop or a commit.
  package static let short = Histogram(bounds: [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ])
  /// For a request or a page.
  package static let medium = Histogram(bounds: [
    0.000_1, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ])
  /// For what waits for its turn.
  package static let long = Histogram(bounds: [
    0.001, 0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400,
  ])

  /// In seconds.
  package var sum: Double { Double(microseconds) / 1_000_000 }
  package var count: UInt64 { counts.reduce(0, &+) }

  package mutating func observe(microseconds: Int64) {
    let microseconds = max(0, microseconds)
    let seconds = Double(microseconds) / 1_000_000
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] &+= 1
    self.microseconds &+= UInt64(microseconds)
  }

  package mutating func observe(milliseconds: Int64) {
    observe(microseconds: milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
  }
}
