struct HelpCommand {
  let page: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if let topic = arguments.operands.first {
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
