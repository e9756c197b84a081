import Pipeline
import Posix
import Roles

struct StatusCommand {
  private let arguments: ParsedArguments
  private let fleet: FleetLinkPlan
  private let redraws: Bool

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan, environment: [String: String]) {
    self.arguments = arguments
    self.fleet = fleet
    redraws =
      arguments.command == CommandTable.watch && !arguments[FleetOption.json]
      && TerminalTraits(descriptor: 1, environment: environment).redraws
  }

  /// An answer is enough, whatever it says.
  private var wantsAnswer: Bool {
    arguments.command == CommandTable.status && arguments[FleetOption.reachable]
  }

  func run() async throws -> ExitCode {
    defer { if redraws { try? DescriptorSink(.drawn).write(LiveScreen.end) } }
    return try await fleet.withLink { link in
      let follower = link.follower
      let updates = arguments.command == CommandTable.watch ? arguments[FleetOption.updates] : 1
      var isWell = true
      var count = 0
      while true {
        let json = try await (count == 0 ? link.client : follower).status()
        let text = try StatusText(json)
        isWell = text.isWell
        try show(json, text, isFirst: count == 0)
        count += 1
        if count == updates { return isWell || wantsAnswer ? .ok : .someFailed }
        try await Task.sleep(for: .milliseconds(arguments[FleetOption.every]))
      }
    }
  }

  private func show(_ json: [UInt8], _ text: StatusText, isFirst: Bool) throws {
    if arguments[FleetOption.json] { return try DescriptorSink(.json).write(json + [UInt8(ascii: "\n")]) }
    let lines = text.lines.map { Printable.text($0) }
    guard !redraws else {
      // Asked for each time: the user may change the window's size.
      let screen = LiveScreen(width: terminalWidth(1) ?? 80, height: terminalHeight(1) ?? 24)
      return try DescriptorSink(.drawn).write(screen.frame(lines, isFirst: isFirst))
    }
    let text = (isFirst ? "" : "\n") + lines.map { "\($0)\n" }.joined()
    try DescriptorSink(.drawn).write(Array(text.utf8))
  }
}
