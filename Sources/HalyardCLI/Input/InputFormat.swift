package enum InputFormat: String, CaseIterable, Sendable {
  /// By the file's name, the other options, and the first line.
  case auto
  case lines
  case csv
  case tsv
  case jsonl
  /// A sitemap or a feed.
  case xml
  case markdown
  case html
  /// Running text, whose links are found.
  case text

  /// Whether it has columns.
  var isTable: Bool { self == .csv || self == .tsv }

  /// Whether its links may be relative.
  var hasRelativeLinks: Bool { self == .markdown || self == .html }

  /// By the name's ending, a `.gz` behind it aside.
  init(ofFile path: String) {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    self =
      switch name.split(separator: ".").last {
      case _ where !name.contains("."): .auto
      case "csv": .csv
      case "tsv": .tsv
      case "jsonl", "ndjson": .jsonl
      case "xml", "rss", "atom": .xml
      case "md", "markdown": .markdown
      case "html", "htm", "xhtml": .html
      default: .auto
      }
  }
}
