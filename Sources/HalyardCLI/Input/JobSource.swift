/// The jobs of one source, whose bytes its reader takes piece by piece.
package struct SourceJobs {
  /// nil for links that are there already.
  private let bytes: (any ByteSource)?
  private var reader: any JobReader
  private var hasEnded = false

  init(_ bytes: (any ByteSource)?, _ reader: any JobReader) {
    (self.bytes, self.reader) = (bytes, reader)
  }

  /// nil at the end.
  ///
  /// - Parameter mayWait: Whether to wait for the source when no job is left of what was read; otherwise it is nil then too.
  fileprivate mutating func next(mayWait: Bool) throws(InputError) -> InputJob? {
    while true {
      if let job = try reader.next() { return job }
      guard mayWait, !hasEnded else { return nil }
      try take()
    }
  }

  /// The columns that every job carries; reads as far as the row of names.
  fileprivate mutating func keptNames() throws(InputError) -> [String] {
    while true {
      if let names = reader.keptNames { return names }
      try take()
    }
  }

  private mutating func take() throws(InputError) {
    let chunk = try bytes?.nextChunk()
    hasEnded = chunk == nil
    try reader.take(chunk)
  }
}

/// All jobs of an input, pulled in bursts by a thread that may block.
package struct JobSource {
  /// A source that is open. Its first bytes tell its format, and are looked at when its turn comes.
  struct Waiting {
    var name: String
    var bytes: DescriptorSource
    var open: () throws(InputError) -> SourceJobs
  }

  /// nil before the first source.
  private var current: SourceJobs?
  /// Which source is read, counted from 0.
  private var number: Int
  private var waiting: ArraySlice<Waiting> = []
  /// What the bytes come from in the end.
  private let origins: [DescriptorSource]
  /// All sources are tables with the same columns, and jobs carry all of them.
  private let keepsAll: Bool
  /// The columns that all jobs carry; nil until the first source's are known.
  private var kept: [String]?
  /// A fault that was met behind jobs which are still good.
  private var failure: InputError?

  package init(_ jobs: SourceJobs) {
    (current, number, origins, keepsAll) = (jobs, 0, [], false)
  }

  init(_ sources: [Waiting], keepsAll: Bool) {
    (number, waiting, origins, self.keepsAll) = (-1, sources[...], sources.map(\.bytes), keepsAll)
  }

  /// Whether rows written to `target` would come back as input, or emptying it would empty the input.
  func isSameFile(as target: OutputPlan.Target) -> Bool { origins.contains { $0.isSameFile(as: target) } }

  /// The columns that every job carries, where the input alone knows them; reads the first row.
  mutating func allKept() throws(InputError) -> [String] {
    if current == nil, let first = waiting.popFirst() { try open(first) }
    return kept ?? []
  }

  /// How much of the input has been read, in 0...1; nil when the size is unknown.
  var fractionRead: Double? {
    var (read, size) = (0, 0)
    for origin in origins {
      guard let own = origin.size, own > 0 else { return nil }
      read += min(own, origin.bytesRead)
      size += own
    }
    return size > 0 ? Double(read) / Double(size) : nil
  }

  /// At least one and at most `limit` jobs; none at the end.
  ///
  /// A burst ends early rather than wait for a slow source. After an error there is nothing more.
  package mutating func nextBurst(limit: Int) throws(InputError) -> [InputJob] {
    if let failure { throw failure }
    var jobs: [InputJob] = []
    do {
      while jobs.count < max(limit, 1) {
        if var job = try current?.next(mayWait: jobs.isEmpty) {
          job.source = number
          jobs.append(job)
        } else if jobs.isEmpty, let next = waiting.popFirst() {
          try open(next)
        } else {
          break
        }
      }
    } catch {
      failure = error
      guard !jobs.isEmpty else { throw error }
    }
    return jobs
  }

  private mutating func open(_ next: Waiting) throws(InputError) {
    current = try next.open()
    number += 1
    guard keepsAll else { return }
    let names = try current?.keptNames() ?? []
    if let kept, let extra = names.first(where: { !kept.contains($0) }) {
      throw InputError(
        next.name,
        "the column \(Printable.quoted(extra)) is not in the first input; name the columns to keep instead of all"
      )
    }
    kept = kept ?? names
  }
}
