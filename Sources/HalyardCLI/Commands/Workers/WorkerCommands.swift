extension CommandTable {
  static let commonWorkerOptions = [
    FleetOption.runDirectory.spec, FleetOption.key.spec, FleetOption.alsoKey.spec,
    FleetOption.allowKeys.spec, FleetOption.insecure.spec, FleetOption.metrics.spec,
    FleetOption.untilInputEnds.spec, LinkOption.workerLogLevel.spec,
    LinkOption.logFormat.spec,
  ]
  static let workerOptions =
    [FleetOption.fleet.spec, FleetOption.bind.spec, FleetOption.locality.spec] + commonWorkerOptions
}
