/// What goes to standard output, as far as it matters when that is a terminal.
enum ScreenContent: Sendable {
  /// Lines of text, which can hold anything.
  case text
  /// Values in JSON, a line each.
  case json
  /// Lines with colours and the like of our own, whose foreign text is harmless already.
  case drawn

  /// The same bytes, harmless for a terminal.
  func harmless(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .text: Array(Printable.lines(String(decoding: bytes, as: UTF8.self)).utf8)
    case .json: Array(Printable.json(String(decoding: bytes, as: UTF8.self)).utf8)
    case .drawn: bytes
    }
  }
}
