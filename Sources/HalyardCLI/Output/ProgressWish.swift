/// When the user wants a progress line.
enum ProgressWish: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}
