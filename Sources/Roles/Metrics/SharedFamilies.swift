/// What more than one role has.
extension MetricFamily {
  /// The first of every process's families.
  package static func build(role: String, version: String) -> MetricFamily {
    MetricFamily("halyard_build_info", .gauge, "The role and version of this process; always 1.")
      .with(1, ["role": role, "version": version])
  }

  static let runnable = MetricFamily(
    "halyard_jobs_runnable", .gauge, "Jobs in the aggregator's memory that could start now.")

  static let freeCredit = MetricFamily(
    "halyard_credit_free", .gauge, "Further jobs that fetchers would take now.")
}
