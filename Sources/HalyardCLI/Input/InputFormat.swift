enum InputFormat: String, CaseIterable, Sendable {
  /// By the file's name, the other options, and the first byte that is not blank.
  case auto
  case lines
  case csv
  case jsonl
}
