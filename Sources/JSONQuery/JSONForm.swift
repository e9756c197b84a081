/// How a body holds its JSON.
public enum JSONForm: Hashable, Sendable {
  /// One text (RFC 8259).
  case text
  /// A text on each line; blank lines do not count.
  case lines
  /// Texts behind record separators (RFC 7464).
  case sequence

  static let recordSeparator: UInt8 = 0x1E
}
