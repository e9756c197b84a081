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
