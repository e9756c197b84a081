/// A part of a Markdown document that is a link, holds one as HTML, or is code, in which nothing is a link.
public struct MarkdownPart: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case link
    case image
    /// One tag inside a text.
    case html
    /// Lines of HTML.
    case htmlBlock
    case code
  }

  /// A line and a column, both counted from 1, the latter in bytes.
  public struct Place: Hashable, Sendable {
    public var line: Int
    public var column: Int
  }

  public var kind: Kind
  /// The address of a link or image, its escapes decoded; the source of HTML; empty for code.
  public var content: [UInt8]
  /// What a reader sees of a link, or an image's description.
  public var text: String
  /// Where it begins. The library does not know it of an address that stands in the text as it is, and may be wrong about
  /// the columns of later lines of a block.
  public var start: Place?
  public var end: Place?
  /// The lines of its block.
  public var lines: ClosedRange<Int>
}
