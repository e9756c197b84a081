import JSONQuery
import Pipeline

/// Rows whose answer is kept for others, and rows from what is kept.
extension RowComposer {
  /// The part of a row that equal jobs share: what stands between the question and the user's columns.
  /// nil when the row was written by a program that writes it otherwise.
  static func members(ofRow row: [UInt8], of job: Job) -> [UInt8]? {
    let (head, tail) = (question(of: job), ending(of: job))
    guard row.starts(with: head), row.count > head.count + tail.count, row.suffix(tail.count) == tail[...]
    else { return nil }
    return Array(row[head.count..<(row.count - tail.count)])
  }

  /// - Parameter isRenewed: Its server has just said that nothing has changed.
  static func row(
    of job: Job, kept members: [UInt8], ageMilliseconds age: Int64, isRenewed: Bool = false
  ) -> [UInt8] {
    let renewed = isRenewed ? #","revalidated":true"# : ""
    return question(of: job) + members
      + Array(#","cached":true,"age":\#(max(0, age) / 1_000)\#(renewed)"#.utf8)
      + ending(of: job)
  }

  /// The addresses that a row tells, on the way and at its end.
  static func trail(ofRow row: [UInt8]) -> [String?] {
    guard let root = try? JSONDocument(parsing: row, limits: .around).root else { return [] }
    return (root["hops"]?.elements.map { $0["url"]?.string } ?? []) + [root["url"]?.string]
  }
}
