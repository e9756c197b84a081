import Posix

/// What a child writes into a pipe, collected by a thread that may block.
final class Transcript: Sendable {
  /// Counts line ends as they arrive.
  let lines = Tally()
  /// Counts whatever arrives, whole lines or not.
  let pieces = Tally()
  /// Counts the end of the stream.
  let ends = Tally()
  private let collected = Lock<[UInt8]>([])
  private let source: Lock<Descriptor?>

  /// - Parameter lineLimit: Closes the pipe after so many lines, as `head` does; 0 never reads and never closes it.
  init(of reading: Descriptor, upTo lineLimit: Int = .max) throws {
    source = Lock(reading)
    guard lineLimit > 0 else {
      ends.add()
      return
    }
    _ = try Thread.start(name: "transcript") { [self] in
      collect(upTo: lineLimit)
      source.withLock { $0 = nil }
      ends.add()
    }
  }

  private func collect(upTo lineLimit: Int) {
    while let chunk = try? source.withLock({ $0 })?.readChunk(), !chunk.isEmpty {
      collected.withLock { $0 += chunk }
      pieces.add()
      lines.add(chunk.count { $0 == UInt8(ascii: "\n") })
      if lines.count >= lineLimit { return }
    }
  }

  /// Waits until these words have arrived; false when the stream is silent for too long before.
  func holds(_ words: String, silenceAtMost seconds: Double) async -> Bool {
    while true {
      let seen = pieces.count
      if text.contains(words) { return true }
      guard await pieces.reaches(seen + 1, within: seconds) else { return text.contains(words) }
    }
  }

  var bytes: [UInt8] { collected.withLock { $0 } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
