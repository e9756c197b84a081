import Pipeline
import Posix

/// The command `man`: the manual as files of a directory.
enum ManCommand {
  static func run(_ arguments: ParsedArguments) throws -> ExitCode {
    let directory = arguments.operands[0]
    let pages = ManPages(CommandTable.commands, date: try date(arguments)).all
    do {
      try makeDirectory(path: directory)
    } catch {
      throw OutputError.failed(directory, error.message)
    }
    for page in pages {
      let path = "\(directory)/\(page.fileName)"
      try DescriptorSink(path: path, .text).write(Array(page.rendered.utf8))
    }
    return .ok
  }

  /// The day that SOURCE_DATE_EPOCH names; nil without it.
  static func date(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let text = arguments.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw UsageError(
        "environment variable SOURCE_DATE_EPOCH: \(Printable.quoted(text)) is not a number of seconds since 1970",
        usage: arguments.command.usage, next: "unset SOURCE_DATE_EPOCH")
    }
    return String("\(CivilDate(Moment(unixMilliseconds: seconds * 1_000)))".prefix(10))
  }
}
