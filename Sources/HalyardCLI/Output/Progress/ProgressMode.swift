/// When the user wants a progress line.
enum ProgressMode: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

extension ParsedArguments {
  /// Whether to draw the progress line; `--quiet` beats everything.
  func wantsProgress(standardErrorRedraws: Bool) -> Bool {
    guard !self[LinkOption.quiet] else { return false }
    return switch self[LinkOption.progress] {
    case .auto: standardErrorRedraws
    case .always: true
    case .never: false
    }
  }

  /// Whether to end with a summary line: for people at a terminal, for those who always want progress, and elsewhere when
  /// there is something to tell.
  func wantsSummary(of counts: ProgressCounts, standardErrorIsTerminal: Bool) -> Bool {
    guard !self[LinkOption.quiet] else { return false }
    return standardErrorIsTerminal || self[LinkOption.progress] == .always || counts.isTelling
  }
}
