/// Where a job's link stands in the user's document.
public struct LinkOrigin: Hashable, Sendable {
  /// Bytes of a link's text that are carried into its row.
  public static let longestText = 200

  /// The document's path; nil for standard input.
  public var file: String?
  /// Counted from 1.
  public var line: UInt32
  /// In characters, counted from 1.
  public var column: UInt32
  /// What a reader of the document sees of the link, shortened; nil when that is nothing.
  public var text: String?

  public init(file: String?, line: Int, column: Int, text: String? = nil) {
    self.file = file
    (self.line, self.column) = (UInt32(clamping: line), UInt32(clamping: column))
    self.text = text
  }

  /// The bytes that its texts add to a message.
  var textBytes: Int { (file?.utf8.count ?? 0) + (text?.utf8.count ?? 0) }
}
