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
