// What unfurl, title and decode share.
extension CommandTable {
  static let linkForms =
    "Links are arguments, or come from --input: one per line, in a column of CSV or TSV, or as JSONL jobs"
    + #" {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have its own"#
    + " oembed, a decode its own select, require and unwrap. Rows that halyard printed are an input too."

  static func sharedOptions(_ maxBody: OptionSpec, _ own: OptionSpec...) -> [OptionSpec] {
    LinkOption.list + SelectionOption.links + own + [
      LinkOption.format.spec, LinkOption.fields.spec, LinkOption.csvSafe.spec, LinkOption.output.spec,
      LinkOption.ordered.spec, SelectionOption.failuresOnly.spec,
      LinkOption.ledger.spec,
      LinkOption.progress.spec, LinkOption.quiet.spec, LinkOption.logLevel.spec,
      LinkOption.logFormat.spec,
      FleetOption.chosenFleet.spec, FleetOption.waitOfRuns.spec, FleetOption.bind.spec,
      FleetOption.key.spec,
      FleetOption.allowKeys.spec, FleetOption.insecure.spec,
      RequestOption.header.spec, RequestOption.cookie.spec,
      LinkOption.concurrency.spec, LinkOption.threads.spec, LinkOption.perHost.spec,
      LinkOption.hostDelay.spec,
      LinkOption.maxHops.spec, LinkOption.timeout.spec, LinkOption.deadline.spec, maxBody,
      LinkOption.retries.spec, LinkOption.retryBudget.spec, LinkOption.giveUp.spec, LinkOption.userAgent.spec,
      LinkOption.allowAddress.spec, LinkOption.respectRobots.spec,
    ] + LinkOption.network + CacheOption.all + [.help]
  }
}
