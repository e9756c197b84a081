/// Finds what an unknown word may have meant.
package enum Suggestion {
  /// The known word that starts with `word` or is at most a third of it in slips away; the first among equals.
  package static func closest(to word: String, among known: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let ranked = known.map { (word: $0, slips: slips(from: Array(word), to: Array($0))) }
    if let near = ranked.filter({ $0.slips <= allowed }).min(by: { $0.slips < $1.slips }) {
      return near.word
    }
    // A lone '--' is a prefix of everything.
    return word.count > 2 ? known.first { $0.hasPrefix(word) } : nil
  }

  /// The `count` known words that are nearest to `word`, the nearest first; those that share a part of it between dots count
  /// as nearer.
  package static func nearest(_ count: Int, to word: String, among known: [String]) -> [String] {
    let parts = word.split(separator: ".")
    let ranked = known.enumerated().map { place, candidate in
      let shared = candidate.split(separator: ".").contains(where: parts.contains)
      let cost = slips(from: Array(word.prefix(longest)), to: Array(candidate)) - (shared ? word.count : 0)
      return (cost, place, candidate)
    }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }

  /// Longer words are compared by their beginning: the work grows with the length of both.
  private static let longest = 64

  /// Letters added, dropped, changed, or swapped with their neighbour (optimal string alignment distance).
  static func slips(from source: [Character], to target: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: target.count + 1)
    var last = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let same = source[row] == target[column]
        var cost = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        let swapped =
          row > 0 && column > 0 && source[row] == target[column - 1] && source[row - 1] == target[column]
        if swapped { cost = min(cost, beforeLast[column - 1] + 1) }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[target.count]
  }
}
