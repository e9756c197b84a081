struct VersionCommand {
  private let printsJSON: Bool

  init(_ arguments: ParsedArguments) {
    printsJSON = arguments[FleetOption.json]
  }

  func run() throws -> ExitCode {
    let report = VersionReport.own
    try DescriptorSink(printsJSON ? .json : .text).write(printsJSON ? report.json : Array(report.text.utf8))
    return .ok
  }
}
