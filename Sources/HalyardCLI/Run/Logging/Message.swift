import Posix

/// Text for people, on standard error, harmless for a terminal now or later. Short, so that it never blocks for long; a
/// closed stream is no reason to fail.
enum Message {
  /// Where messages go; tests collect them.
  @TaskLocal static var output: @Sendable (String) -> Void = { text in try? writeAll(2, Array(text.utf8)) }

  static func show(_ text: String) { output(Printable.lines(text)) }
}
