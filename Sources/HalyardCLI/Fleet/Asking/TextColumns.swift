import JSONQuery

/// Rows of text in columns.
enum TextColumns {
  /// - Parameter rows: The first has the headings; others may have more cells, which stand behind the columns.
  static func lines(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - DisplayWidth.of(cell) + 2)
      }
      // A mark that most lines have none of.
      line += row.dropFirst(widths.count).joined(separator: " ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

/// A time as people say it: its two largest units.
enum Elapsed {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
  ]

  /// `12 ms`, `3.4 s`, `42 s`, `5m 3s`, `2h 4m`, `3d 4h`.
  static func text(_ milliseconds: Int64) -> String {
    let milliseconds = max(0, milliseconds)
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds < 10_000 { return "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s" }
    if milliseconds < 60_000 { return "\(milliseconds / 1_000) s" }
    guard let place = units.firstIndex(where: { milliseconds >= $0.milliseconds }), place + 1 < units.count
    else { return "\(milliseconds / 1_000) s" }
    let (large, small) = (units[place], units[place + 1])
    let rest = milliseconds % large.milliseconds / small.milliseconds
    let first = "\(milliseconds / large.milliseconds)\(large.name)"
    return rest == 0 ? first : "\(first) \(rest)\(small.name)"
  }
}

extension JSONValue {
  /// A member as text, and a dash for what is not there.
  func text(_ name: String) -> String {
    guard let member = self[name], member.kind != .null else { return "-" }
    return member.string ?? member.minified
  }

  /// A time in milliseconds, and a dash for what is not there.
  func elapsed(_ name: String) -> String { self[name]?.int64.map { Elapsed.text($0) } ?? "-" }

  /// The number at the end of these members, and 0 for what is not there.
  func number(_ names: String...) -> Int64 { names.reduce(Optional(self)) { $0?[$1] }?.int64 ?? 0 }

  /// The elements of a member, and none of what is not there.
  func list(_ name: String) -> [JSONValue] { self[name].map { Array($0.elements) } ?? [] }

  /// Of a job, with its failure.
  var stateOfJob: String { self["error"]?.string.map { "\(text("state")): \($0)" } ?? text("state") }
}

/// Numbers of things in sentences.
enum Counted {
  static func jobs(_ count: UInt64) -> String {
    count == 1 ? "1 job" : "\(count) jobs"
  }
}
