import Pipeline

/// Open jobs by batch and host. Made at the first request: most ledgers in memory never need it.
struct ReadyLines {
  private var lines: [BatchID: [String: [JobID]]] = [:]

  var batches: some Collection<BatchID> { lines.keys }

  mutating func insert(_ id: JobID, of batch: BatchID, host: String) {
    var line = lines[batch]?[host] ?? []
    lines[batch]?[host] = nil
    let place = line.last.map { $0 < id } ?? true ? line.count : line.firstIndex { $0 >= id } ?? line.count
    if place == line.count || line[place] != id { line.insert(id, at: place) }
    lines[batch, default: [:]][host] = line
  }

  /// - Parameter isOpen: Jobs that are over are forgotten here.
  mutating func jobs(of batch: BatchID, host: String, where isOpen: (JobID) -> Bool) -> [JobID] {
    guard var line = lines[batch]?[host] else { return [] }
    lines[batch]?[host] = nil
    line.removeAll { !isOpen($0) }
    if line.isEmpty {
      if lines[batch]?.isEmpty == true { lines[batch] = nil }
    } else {
      lines[batch]?[host] = line
    }
    return line
  }
}
