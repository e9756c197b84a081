/// How many pages a table or an index has. Its inner pages name those below them, so the leaves need not be read; of a level
/// with many pages only some are, evenly spread.
struct TreeSize {
  /// Pages that are read of a level.
  private static let mostOfLevel = 64
  private static let deepest = 20

  let pageBytes: Int
  /// nil for a page that is not there.
  let read: (Int64) -> [UInt8]?

  /// An estimate when it is large, otherwise exact; without the pages that hold the ends of long values.
  func pages(from root: Int64) -> Double {
    var (level, weight, total) = ([root], 1.0, 0.0)
    for _ in 0..<Self.deepest {
      total += Double(level.count) * weight
      let below = level.flatMap { page in read(page).map { children($0, of: page) } ?? [] }
      guard let first = below.first else { break }
      let all = Double(below.count) * weight
      guard let page = read(first), !children(page, of: first).isEmpty else { return total + all }
      level = Self.some(of: below)
      weight = all / Double(level.count)
    }
    return total
  }

  /// None for a leaf, and none for a page that does not belong to a tree.
  private func children(_ page: [UInt8], of number: Int64) -> [Int64] {
    // The first page begins with the header of the file.
    let start = number == 1 ? 100 : 0
    guard page.count == pageBytes, page.count >= start + 12, page[start] == 2 || page[start] == 5 else {
      return []
    }
    func integer(_ place: Int, _ bytes: Int) -> Int64 {
      guard place + bytes <= page.count else { return 0 }
      return page[place..<(place + bytes)].reduce(0) { $0 << 8 | Int64($1) }
    }
    let cells = Int(integer(start + 3, 2))
    let children = (0..<cells).map { integer(Int(integer(start + 12 + 2 * $0, 2)), 4) }
    return (children + [integer(start + 8, 4)]).filter { $0 > 1 }
  }

  private static func some(of pages: [Int64]) -> [Int64] {
    guard pages.count > mostOfLevel else { return pages }
    return (0..<mostOfLevel).map { pages[$0 * pages.count / mostOfLevel] }
  }
}
