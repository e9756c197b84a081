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
