struct HelpCommand {
  let page: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let topic = arguments.operands.first
    if topic == EnvironmentPage.topic {
      page = EnvironmentPage.rendered
    } else if let topic {
      page = HelpPage(try Invocation.command(named: topic, words: ["help", topic])).rendered
    } else {
      page = HelpPage.main
    }
  }

  func run() throws -> ExitCode {
    try DescriptorSink().write(Array(page.utf8))
    return .ok
  }
}
