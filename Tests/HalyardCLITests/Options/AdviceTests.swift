import Testing

@testable import HalyardCLI

/// Messages about an input name options, whichever command reads it.
@Suite struct AdviceTests {
  private static let readers = CommandTable.commands.filter { command in
    command.options.contains { $0.name == LinkOption.inputFormat.name }
  }

  @Test(arguments: readers.map(\.name))
  func `a command that reads lists has the options that messages about them name`(name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    for option in [OptionSpec](LinkOption.column, LinkOption.delimiter, LinkOption.baseURL) {
      #expect(command.options.contains { $0.name == option.name }, "--\(option.name)")
    }
  }

  @Test func `the commands that read lists are these`() {
    #expect(Set(Self.readers.map(\.name)).isSuperset(of: ["title", "unfurl", "decode", "links", "submit"]))
  }

  private func plan(_ words: [String]) throws -> InputPlan {
    guard case .run(let arguments) = try Invocation.parse(["links"] + words, environment: [:]) else {
      throw NoPlan()
    }
    return try InputPlan(files: arguments)
  }

  private struct NoPlan: Error {}

  @Test func `links takes the column and the separator of a table`() throws {
    let plan = try plan(["--column", "Site", "--delimiter", ";", "excel.csv"])
    #expect(plan.columns.link == "Site")
    #expect(plan.delimiter == UInt8(ascii: ";"))
  }

  @Test func `links refuses a column of what is no table`() throws {
    #expect(throws: UsageError.self) { try plan(["--column", "Site", "notes.md"]) }
  }
}
