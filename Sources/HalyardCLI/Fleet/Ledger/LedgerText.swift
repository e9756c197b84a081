import JSONQuery
import Pipeline

/// A report of the ledger's care, for people.
struct LedgerText {
  private let report: JSONValue

  init(_ json: [UInt8]) throws {
    report = try JSONDocument(parsing: json).root
  }

  /// Why nothing came of it; nil when something did.
  var failure: String? {
    guard report["state"]?.string == "failed" else { return nil }
    return report["cause"]?.string ?? ""
  }

  /// - Parameter pruned: What was chosen; nil for another verb than `prune`.
  func lines(pruned choice: ForgettingChoice?) -> [String] {
    let jobs = Counted.jobs(UInt64(clamping: number("jobs")))
    let bytes = Quantity.about(number("bytes"))
    switch report["verb"]?.string {
    case "size": return sizeLines
    case "prune":
      let end =
        choice?.unconfirmedToo == true
        ? "" : "; without --unread, jobs stay whose rows no reader has confirmed: 'results' confirms none"
      let open =
        choice?.batch != nil && number("jobs") == 0 ? "; a batch that is open keeps all of its jobs" : ""
      return ["\(jobs) \(choice?.onlyCounts == true ? "can be deleted" : "deleted")\(open)\(end)"]
    case "backup": return ["\(bytes) copied to \(report["path"]?.string ?? "")"]
    case "compact": return ["\(bytes) given back to the disk"]
    default: return []
    }
  }

  private var sizeLines: [String] {
    let parts = LedgerSize.Part.allCases.map { part in
      "\(Quantity.about(number("parts", part.rawValue)).leftPadded(to: 10))  \(Self.words(part))"
    }
    let open = ["waiting", "ready", "leased", "scheduled"].map { number("jobs", $0) }.reduce(0, +)
    let counts = ["done", "failed", "cancelled"].map { "\(number("jobs", $0)) \($0)" }.joined(separator: ", ")
    var lines = ["\(Quantity.about(number("bytes")).leftPadded(to: 10))  in all"] + parts
    lines.append("jobs  \(open) open, \(counts), in \(batches)")
    if let oldest = report["oldest"]?.int64 {
      lines.append("oldest  complete since \(Moment(unixMilliseconds: oldest).timestamp)")
    }
    let prunable = number("prunable", "jobs")
    if prunable > 0 {
      lines.append(
        "prune  can delete \(prunable) jobs, about \(Quantity.about(number("prunable", "bytes"))); "
          + "without --unread \(number("prunable", "read"))")
    }
    if number("parts", "free") > 0 { lines.append("compact  can give back what is free") }
    return lines
  }

  private var batches: String {
    let count = number("batches")
    return count == 1 ? "1 batch" : "\(count) batches"
  }

  private static func words(_ part: LedgerSize.Part) -> String {
    switch part {
    case .data: "jobs, rows and cached answers"
    case .free: "free, used for new data"
    case .log: "log of the last commits"
    case .reserve: "kept back for a full disk"
    }
  }

  private func number(_ names: String...) -> Int64 {
    names.reduce(Optional(report)) { $0?[$1] }?.int64 ?? 0
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
