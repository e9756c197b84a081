import Posix

/// Text for people, on standard error. Short, so that it never blocks for long; a closed stream is no reason to fail.
enum Message {
  static func show(_ text: String) {
    try? writeAll(2, Array(text.utf8))
  }
}
