enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe; nothing more can be written.
  case brokenPipe
  /// The target's name and the system's words.
  case failed(String, String)
  /// A row that is no JSON object reached the writer, which is our own fault.
  case malformedRow(String)

  /// What goes to standard error, with its newline; nothing for a reader that left.
  var rendered: String {
    switch self {
    case .brokenPipe: ""
    case .failed(let target, let words): "halyard: \(Printable.text(target)): \(words)\n"
    case .malformedRow(let words): "halyard: a row is malformed: \(words)\n"
    }
  }
}
