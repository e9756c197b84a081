import Testing

@testable import Roles

struct PrometheusTextTests {
  private func text(_ families: MetricFamily...) -> String {
    String(decoding: PrometheusText.write(families), as: UTF8.self)
  }

  @Test func `a gauge has its help, its type and a line for each sample`() {
    let jobs = MetricFamily("halyard_jobs", .gauge, "Jobs by state.")
      .with(.whole(3), ["state": "ready"]).with(.whole(0), ["state": "failed"])
    #expect(
      text(jobs) == """
        # HELP halyard_jobs Jobs by state.
        # TYPE halyard_jobs gauge
        halyard_jobs{state="ready"} 3
        halyard_jobs{state="failed"} 0

        """)
  }

  @Test func `the buckets of a histogram count all that is no longer than their bounds`() {
    var times = Histogram(bounds: [0.001, 0.5])
    for microseconds: Int64 in [500, 1_000, 2_000, 700_000] { times.observe(microseconds: microseconds) }
    #expect(
      text(MetricFamily("t", .histogram, "Times.").with(.histogram(times), ["stage": "fetch"])) == """
        # HELP t Times.
        # TYPE t histogram
        t_bucket{stage="fetch",le="0.001"} 2
        t_bucket{stage="fetch",le="0.5"} 3
        t_bucket{stage="fetch",le="+Inf"} 4
        t_sum{stage="fetch"} 0.7035
        t_count{stage="fetch"} 4

        """)
  }

  @Test func `a family without samples is left out`() {
    #expect(text(MetricFamily("t", .counter, "None.")) == "")
  }

  @Test func `quotes, backslashes and line breaks of a label are escaped`() {
    let family = MetricFamily("t", .gauge, "a\\b\nc").with(.number(1.5), ["v": "\"\\\n"])
    #expect(text(family).hasSuffix("# TYPE t gauge\nt{v=\"\\\"\\\\\\n\"} 1.5\n"))
    #expect(text(family).hasPrefix("# HELP t a\\\\b\\nc\n"))
  }

  @Test func `a time before its start counts as none`() {
    var times = Histogram.short
    times.observe(milliseconds: -5)
    #expect(times.count == 1 && times.sum == 0)
  }
}
