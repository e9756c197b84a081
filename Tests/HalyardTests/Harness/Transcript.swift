import Foundation
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
  private let pipe: Pipe

  /// - Parameter lineLimit: Closes the pipe after so many lines, as `head` does; 0 never reads and never closes it.
  init(of pipe: Pipe, upTo lineLimit: Int = .max) throws {
    self.pipe = pipe
    guard lineLimit > 0 else {
      ends.add()
      return
    }
    let reading = pipe.fileHandleForReading
    _ = try Posix.Thread.start(name: "transcript") { [self] in
      while let chunk = try? readChunk(reading.fileDescriptor), !chunk.isEmpty {
        collected.withLock { $0 += chunk }
        pieces.add()
        lines.add(chunk.count { $0 == UInt8(ascii: "\n") })
        if lines.count >= lineLimit { break }
      }
      try? reading.close()
      ends.add()
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
