import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

struct StatusCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  /// Only `watch` looks more than once.
  private var watches: Bool { arguments.command == CommandTable.watch }

  private var redraws: Bool {
    watches && !arguments[FleetOption.json] && arguments.terminal(1).redraws
  }

  func run() async throws -> ExitCode {
    defer { if redraws { try? DescriptorSink(.drawn).write(LiveScreen.end) } }
    return try await fleet.withLink { link in
      let follower = link.follower
      let updates = watches ? arguments[FleetOption.updates] : 1
      var isWell = true
      var count = 0
      while true {
        let json = try await (count == 0 ? link.client : follower).ask(StatusQuestion()).bytes
        let text = try StatusText(json)
        isWell = text.isWell
        try show(json, text.lines + stoppedLines, isFirst: count == 0)
        count += 1
        // With --reachable an answer is enough, whatever it says.
        if count == updates { return isWell || arguments[FleetOption.reachable] ? .ok : .someFailed }
        try await Task.sleep(for: .milliseconds(arguments[FleetOption.every]))
      }
    }
  }

  /// What the aggregator cannot know of the process that started it.
  private var stoppedLines: [String] {
    guard let directory = fleet.place.directory, let up = try? RunningFleet.process(in: directory),
      RunningFleet.isStopped(up)
    else { return [] }
    return [
      "",
      "'halyard up', process \(up), is stopped: nothing that ends is started again until 'kill -CONT \(up)'",
    ]
  }

  private func show(_ json: [UInt8], _ lines: [String], isFirst: Bool) throws {
    guard redraws else {
      let lines = (isFirst ? [] : [""]) + lines
      try arguments.show(json: json + [UInt8(ascii: "\n")], lines: lines)
      return
    }
    let lines = lines.map { Printable.text($0) }
    // Asked for each time: the user may change the window's size.
    let screen = LiveScreen(width: terminalWidth(1) ?? 80, height: terminalHeight(1) ?? 24)
    try DescriptorSink(.drawn).write(screen.frame(lines, isFirst: isFirst))
  }
}
