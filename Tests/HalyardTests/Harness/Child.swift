import Foundation
import Posix

/// The built program, started as a user starts it. It never outlives the test: whoever waits too long for it kills it.
final class Child: Sendable {
  enum Input {
    case nothing
    case text(String)
    case bytes([UInt8])
    /// More may come until `closeInput`.
    case open(String)
  }

  struct Overdue: Error {
    var what: String
    var messages: String
  }

  /// Where the program's rows go instead of into a pipe that is read to its end.
  struct Redirection {
    /// Shell words such as `>&-`.
    var words = ""
    /// A shell command to run before.
    var prelude = ""
    /// Lines after which the reader leaves; 0 is one that stays and never reads.
    var lineLimit = Int.max
  }

  /// Seconds to wait for what is a matter of milliseconds on an idle machine.
  private static let timeout = 240.0

  let output: Transcript
  let messages: Transcript
  private let process: ChildProcess
  /// Where more input goes; nil when there is none to come.
  private let input: Lock<Descriptor?>
  private let exits = Tally()

  init(
    _ arguments: [String], input: Input = .nothing, environment: [String: String] = [:],
    redirection: Redirection = Redirection()
  ) throws {
    ignoreBrokenPipes()
    let (rows, words) = (try Descriptor.pipe(), try Descriptor.pipe())
    let pipe =
      if case .nothing = input { nil as (reading: Descriptor, writing: Descriptor)? } else {
        try Descriptor.pipe()
      }
    // The shell gives way to the program, which so keeps its process id.
    process = try ChildProcess.start(
      path: "/bin/sh",
      arguments: [
        "sh", "-c", "\(redirection.prelude)\nexec \"$0\" \"$@\" \(redirection.words)", Self.program.path,
      ]
        + arguments,
      environment: Self.environment(adding: environment).map { "\($0.key)=\($0.value)" },
      streams: ChildProcess.Streams(
        input: try pipe?.reading ?? .reading(path: "/dev/null"), output: rows.writing, messages: words.writing
      ))
    self.input = Lock(pipe?.writing)
    output = try Transcript(of: rows.reading, upTo: redirection.lineLimit)
    messages = try Transcript(of: words.reading)
    Task { [process, exits] in
      _ = await process.end()
      exits.add()
    }
    switch input {
    case .nothing: break
    case .text(let text): try feed(Array(text.utf8), closing: true)
    case .bytes(let bytes): try feed(bytes, closing: true)
    case .open(let text): try feed(Array(text.utf8), closing: false)
    }
  }

  deinit { kill() }

  /// The program beside this test's own binary, or the one that HALYARD_PROGRAM names.
  /// Where shells find the program.
  static var programFolder: String { program.deletingLastPathComponent().path }

  private static var program: URL {
    if let path = ProcessInfo.processInfo.environment["HALYARD_PROGRAM"] { return URL(fileURLWithPath: path) }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("halyard")
  }

  private static func environment(adding extra: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HALYARD_") && $0.key != "NO_COLOR" }
      .merging(extra) { $1 }
  }

  /// The most memory the program has had so far, in KiB.
  func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1, let kib = Int(words[1])
    else {
      throw Overdue(what: "no peak of memory", messages: messages.text)
    }
    return kib
  }

  /// More input after `.open`; returns before it is read.
  func send(_ text: String) throws {
    try feed(Array(text.utf8), closing: false)
  }

  /// Writes on a thread of its own, because the program may be slow to read.
  private func feed(_ bytes: [UInt8], closing: Bool) throws {
    guard let writing = input.withLock({ $0 }) else { return }
    _ = try Posix.Thread.start(name: "feed") { [input] in
      try? writing.writeAll(bytes)
      if closing { input.withLock { $0 = nil } }
    }
  }

  func closeInput() {
    input.withLock { $0 = nil }
  }

  func interrupt() { process.send(SIGINT) }

  func send(_ signal: Int32) { process.send(signal) }

  func terminate() { process.send(SIGTERM) }

  func hangUp() { process.send(SIGHUP) }

  func kill() { process.send(SIGKILL) }

  /// Waits for so many lines of output.
  func hasWritten(lines: Int, within seconds: Double = timeout) async throws {
    guard await output.lines.reaches(lines, within: seconds) else { throw overdue("\(lines) lines") }
  }

  /// Waits for something that a test expects while the program runs.
  func awaits(_ tally: Tally, _ goal: Int, _ what: String) async throws {
    guard await tally.reaches(goal, within: Self.timeout) else { throw overdue("\(goal) \(what)") }
  }

  /// Waits for the program's end and for all it wrote.
  func ended(within seconds: Double = timeout) async throws -> Ended {
    guard await exits.reaches(1, within: seconds) else { throw overdue("the end") }
    guard await output.ends.reaches(1, within: Self.timeout),
      await messages.ends.reaches(1, within: Self.timeout)
    else {
      throw overdue("the end of its output")
    }
    let status: Int32 =
      switch await process.end() {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    return Ended(status: status, output: output.text, messages: messages.text)
  }

  private func overdue(_ what: String) -> Overdue {
    kill()
    return Overdue(what: "waited too long for \(what)", messages: messages.text)
  }
}

/// Runs the program to its end.
func halyard(
  _ arguments: String..., input: Child.Input = .nothing, environment: [String: String] = [:],
  redirection: Child.Redirection = .init()
) async throws -> Ended {
  try await Child(arguments, input: input, environment: environment, redirection: redirection).ended()
}
