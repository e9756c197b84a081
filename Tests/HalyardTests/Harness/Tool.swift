import Posix

/// Programs of the system that tests need; `scripts/setup` installs them.
enum Tool: String {
  case bash
  case zsh
  case fish
  case man
  case python3
  /// Part of each Swift toolchain.
  case clang

  struct Missing: Error, CustomStringConvertible {
    var tool: Tool

    var description: String { "\(tool.rawValue) is not installed; run scripts/setup bash zsh fish man" }
  }

  /// Runs it to its end.
  func run(_ arguments: [String]) async throws -> Ended {
    let directories = (environmentVariables()["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    guard let path = directories.map({ "\($0)/\(rawValue)" }).first(where: mayReadFile) else {
      throw Missing(tool: self)
    }
    let (process, said, told) = try Self.start(path, [rawValue] + arguments)
    guard await said.ends.reaches(1, within: 240), await told.ends.reaches(1, within: 240) else {
      process.send(9)
      throw Child.Overdue(what: "waited too long for \(rawValue)", messages: told.text)
    }
    let status: Int32 =
      switch await process.end() {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    return Ended(status: status, output: said.text, messages: told.text)
  }

  /// The ends of the pipes that it writes to are its own alone once this returns.
  private static func start(
    _ path: String, _ arguments: [String]
  ) throws -> (process: ChildProcess, output: Transcript, messages: Transcript) {
    let (output, messages) = (try Descriptor.pipe(), try Descriptor.pipe())
    let process = try ChildProcess.start(
      path: path, arguments: arguments,
      streams: ChildProcess.Streams(
        input: try .reading(path: "/dev/null"), output: output.writing, messages: messages.writing))
    return (process, try Transcript(of: output.reading), try Transcript(of: messages.reading))
  }
}
