import Pipeline

/// The ids of open jobs in blocks, and in each block by state: so jobs in one state are found without a look at the others.
/// Jobs that are over are counted only.
struct JobIndex {
  /// By their least ids. The one that became empty last stays: most often the next job of its batch comes into it.
  private var blocks: [JobID: Block] = [:]
  private var emptied: JobID?
  /// The least ids of all blocks, and of some that are gone; nil since another block came.
  private var order: [JobID]?
  private(set) var counts = JobCounts()

  mutating func move(_ id: JobID, from old: JobPhase?, to new: JobPhase?) {
    if let old { counts.add(-1, in: old) }
    if let new { counts.add(1, in: new) }
    guard old?.isOpen == true || new?.isOpen == true else { return }
    let (start, known) = (id.startOfBlock, blocks.count)
    let isEmpty = blocks[start, default: Block()].move(id, from: old, to: new)
    if blocks.count > known { order = nil }
    guard isEmpty, emptied != start else { return }
    if let emptied, blocks[emptied]?.isEmpty == true { blocks[emptied] = nil }
    emptied = start
  }

  /// The jobs in some states where a query looks, block after block, and in no order in a block.
  mutating func blocks(in phases: [JobPhase], of query: JobQuery? = nil) -> some Sequence<[JobID]> {
    let (starts, blocks) = (order ?? blocks.keys.sorted(), blocks)
    order = starts
    let (first, last) = (query?.start, query?.end)
    let inRange = starts.lazy.drop { start in first.map { start < $0.startOfBlock } ?? false }
      .prefix { start in last.map { start <= $0 } ?? true }
    return inRange.map { start in
      let ids = phases.flatMap { blocks[start]?.ids[Int($0.rawValue)] ?? [] }
      return ids.filter { id in first.map { $0 < id } ?? true }
    }.filter { !$0.isEmpty }
  }
}

private struct Block {
  /// By the number of their state.
  private(set) var ids = [Set<JobID>](repeating: [], count: 1 + JobPhase.open.count)

  var isEmpty: Bool { ids.allSatisfy { $0.isEmpty } }

  /// - Returns: Whether no job is left in it.
  mutating func move(_ id: JobID, from old: JobPhase?, to new: JobPhase?) -> Bool {
    if let old, old.isOpen { ids[Int(old.rawValue)].remove(id) }
    guard let new, new.isOpen else { return isEmpty }
    ids[Int(new.rawValue)].insert(id)
    return false
  }
}
