internal import Posix

/// The codings that header fields name, in their sequence.
struct CodingList {
  private(set) var known: [ContentCoding] = []
  private(set) var unknown = 0

  /// Takes a list such as `br, gzip`; names that change nothing about a body's bytes do not count.
  mutating func add(_ list: Span<UInt8>) {
    var start = 0
    while start < list.count {
      let rest = list.extracting(start..<list.count)
      let part = rest.extracting(0..<rest.firstIndex(of: UInt8(ascii: ","), from: 0))
      add(name: part.extracting(part.trimmedRange()))
      start += part.count + 1
    }
  }

  private mutating func add(name: Span<UInt8>) {
    guard !name.isEmpty, !name.isNamed("identity"), !name.isNamed("chunked") else { return }
    if let coding = ContentCoding(name) { known.append(coding) } else { unknown += 1 }
  }
}
