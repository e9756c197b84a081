import HTTPMessages
import JSONQuery
import LinkPreviews
import Links
import Pipeline
import Posix

/// A line of JSON for each answer, written a few times a second.
final class AccessLog: Sendable {
  private struct State {
    var lines: [UInt8] = []
    var dropped = 0
  }

  private static let longestWaiting = 4 << 20
  private static let pauseMilliseconds = 200
  private let state = Lock(State())
  private let file: Descriptor?
  private let worker: BlockingWorker

  /// - Parameter path: `-` for standard output.
  init(_ path: String) throws {
    file = path == "-" ? nil : try FilePlace(path).writing(appending: true)
    worker = try BlockingWorker(name: "access log")
  }

  /// - Parameter visit: nil when the request was not valid.
  func note(
    _ id: String, _ visit: PreviewVisit?, status: Int, bytes: Int, cached: String? = nil,
    microseconds: Int64 = 0
  ) {
    let line = JSONWriter.line { line in
      line.member("time", Moment(unixMilliseconds: SystemTime.unixMilliseconds).timestamp)
      line.member("id", id)
      line.member("client", visit?.client)
      line.member("token", visit?.holder?.name)
      line.member("method", visit?.head.method.rawValue)
      line.member("path", visit?.head.path)
      line.member("query", visit?.head.queryItems.map(Self.shown))
      line.member("status", status)
      line.member("bytes", bytes)
      line.member("us", microseconds)
      line.member("cached", cached)
    }
    state.withLock { state in
      if state.lines.count > Self.longestWaiting { state.dropped += 1 } else { state.lines += line }
    }
  }

  /// Without tokens, and without the passwords of links.
  private static func shown(_ items: [(name: String, value: String)]) -> String {
    items.filter { !PreviewQuestion.tokenNames.contains($0.name) }.map { name, value in
      "\(name)=\(percentEncoded(printableLink(value)))"
    }.joined(separator: "&")
  }

  /// Writes until it is cancelled, and then what is left.
  func run() async {
    while (try? await Task.sleep(for: .milliseconds(Self.pauseMilliseconds))) != nil { await flush() }
    await flush()
  }

  private func flush() async {
    let (lines, dropped) = state.withLock { state in
      defer { state = State() }
      return (state.lines, state.dropped)
    }
    guard !lines.isEmpty else { return }
    if dropped > 0 { Message.show("halyard: the access log is slow: \(dropped) lines are left out\n") }
    // A log that cannot be written ends no service.
    try? await worker.run { [file] in
      if let file { try file.writeAll(lines) } else { try writeAll(1, lines) }
    }
  }
}
