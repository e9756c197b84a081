import Posix

/// The title in XMP metadata.
enum XMPTitle {
  /// More is no title.
  private static let longest = 64 << 10

  /// Of several languages the first, which is the default.
  static func read(_ packet: Span<UInt8>, limit: Int) -> String? {
    guard let start = packet.firstIndex(of: "<dc:title", from: 0) else { return nil }
    let near = packet.extracting(start..<min(packet.count, start + longest))
    guard let end = near.firstIndex(of: "</dc:title>", from: 0) else { return nil }
    let element = near.extracting(..<end)
    var tokenizer = Tokenizer()
    var collector = TextCollector(limit: limit)
    while true {
      switch tokenizer.next(in: element, markup: .xml, allowsCDATA: true) {
      case .text(let range): collector.append(element, range, as: .text)
      case .characterData(let range): collector.append(element, range, as: .literal)
      case .startTag: break
      case .endTag:
        if let text = collector.text { return text }
      case .end: return collector.text
      }
    }
  }
}
