internal import CCommonMark

/// Reads GitHub Flavored Markdown by libcmark-gfm. Tables are read as text, which has the same links.
public enum MarkdownDocument {
  /// The parts of a document in their order, footnotes at its end.
  ///
  /// - Parameters:
  ///   - longestText: Bytes of a link's text that are looked at.
  ///   - mostMemory: In bytes, while the document is read.
  /// - Returns: nil when reading takes more memory than that.
  public static func parts(of bytes: [UInt8], longestText: Int, mostMemory: Int) -> [MarkdownPart]? {
    guard !bytes.isEmpty else { return [] }
    let parsed = unsafe bytes.withUnsafeBytes { bytes in
      let text = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe halyard_markdown_parse(text, bytes.count, mostMemory)
    }
    guard let document = unsafe parsed else { return nil }
    defer { unsafe halyard_markdown_close(document) }
    guard let root = unsafe halyard_markdown_root(document) else { return [] }
    var walk = unsafe TreeWalk(root)
    var parts: [MarkdownPart] = []
    var lines = 1...1
    while let node = walk.next() {
      if !node.isInline { lines = node.lines }
      if let part = node.part(in: lines, longestText: longestText) { parts.append(part) }
    }
    return parts
  }

  /// The library's, of this process.
  public static var libraryVersion: String {
    // Eight bits each, the last for GitHub's own count.
    let number = cmark_version()
    return "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }
}

/// The nodes below and including one, in the order of the document.
@safe private struct TreeWalk {
  private let root: OpaquePointer
  private var current: OpaquePointer?

  init(_ root: OpaquePointer) { unsafe self.root = unsafe root }

  mutating func next() -> MarkdownNode? {
    guard let last = unsafe current else {
      unsafe current = unsafe root
      return unsafe MarkdownNode(root)
    }
    var following = unsafe cmark_node_first_child(last)
    var place = unsafe last
    while unsafe following == nil, unsafe place != root {
      unsafe following = unsafe cmark_node_next(place)
      guard unsafe following == nil, let parent = unsafe cmark_node_parent(place) else { break }
      unsafe place = unsafe parent
    }
    guard let node = unsafe following else { return nil }
    unsafe current = unsafe node
    return unsafe MarkdownNode(node)
  }
}

@safe private struct MarkdownNode {
  private let pointer: OpaquePointer
  /// Of the nodes below a link, its text is in so many.
  private static let mostTextNodes = 256
  private static let inlineBit: UInt32 = 0x4000

  init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  private var type: cmark_node_type { unsafe cmark_node_get_type(pointer) }

  var isInline: Bool { type.rawValue & Self.inlineBit != 0 }

  var lines: ClosedRange<Int> {
    let first = max(1, Int(unsafe cmark_node_get_start_line(pointer)))
    return first...max(first, Int(unsafe cmark_node_get_end_line(pointer)))
  }

  func part(in lines: ClosedRange<Int>, longestText: Int) -> MarkdownPart? {
    let kind: MarkdownPart.Kind
    let content: [UInt8]
    switch type {
    case CMARK_NODE_LINK: (kind, content) = (.link, address)
    case CMARK_NODE_IMAGE: (kind, content) = (.image, address)
    case CMARK_NODE_HTML_INLINE: (kind, content) = (.html, Array(literal.utf8))
    case CMARK_NODE_HTML_BLOCK: (kind, content) = (.htmlBlock, [])
    case CMARK_NODE_CODE: (kind, content) = (.code, [])
    default: return nil
    }
    let hasText = kind == .link || kind == .image
    return MarkdownPart(
      kind: kind, content: content, text: hasText ? text(longest: longestText) : "", start: start, end: end,
      lines: lines)
  }

  private var address: [UInt8] { unsafe Array(String(cString: cmark_node_get_url(pointer)).utf8) }

  private var literal: String {
    guard let text = unsafe cmark_node_get_literal(pointer) else { return "" }
    return unsafe String(cString: text)
  }

  /// Of a link over several lines the library has the column of the first and the number of the last.
  private var start: MarkdownPart.Place? {
    let line = Int(unsafe cmark_node_get_start_line(pointer))
    guard line > 0 else { return nil }
    let inner = unsafe cmark_node_first_child(pointer).map { Int(unsafe cmark_node_get_start_line($0)) } ?? 0
    return MarkdownPart.Place(
      line: inner > 0 ? min(line, inner) : line, column: Int(unsafe cmark_node_get_start_column(pointer)))
  }

  private var end: MarkdownPart.Place? {
    let line = Int(unsafe cmark_node_get_end_line(pointer))
    guard line > 0 else { return nil }
    return MarkdownPart.Place(line: line, column: Int(unsafe cmark_node_get_end_column(pointer)))
  }

  private func text(longest: Int) -> String {
    var walk = unsafe TreeWalk(pointer)
    var text = ""
    var seen = 0
    while seen < Self.mostTextNodes, text.utf8.count <= longest, let node = walk.next() {
      seen += 1
      switch node.type {
      case CMARK_NODE_TEXT, CMARK_NODE_CODE: text += node.literal
      case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: text += " "
      default: break
      }
    }
    return text
  }
}

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
