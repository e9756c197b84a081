internal import Posix
package import Roles

/// All jobs of an input, pulled in bursts by a thread that may block.
package struct JobSource {
  private let plan: InputPlan
  private let context: InputContext
  /// What the bytes of each source come from; none for arguments. The first bytes tell the format, and are looked at when
  /// the source's turn comes.
  private let origins: [any ByteSource]
  /// Which source is read, counted from 0; -1 before the first.
  private var number = -1
  private var reader: (any JobReader)?
  /// What the reader's bytes come from; nil at their end.
  private var bytes: PeekingSource?
  /// The columns that all jobs carry; nil until the first source's are known.
  private var kept: [String]?
  /// A fault that was met behind jobs which are still good.
  private var failure: InputError?

  package init(_ plan: InputPlan, of origins: [any ByteSource]) {
    self.init(plan, of: origins, InputContext())
  }

  init(_ plan: InputPlan, of origins: [any ByteSource], _ context: InputContext) {
    (self.plan, self.origins, self.context) = (plan, origins, context)
  }

  private var files: [DescriptorSource] { origins.compactMap { $0 as? DescriptorSource } }

  /// Whether rows written to `target` would come back as input, or emptying it would empty the input.
  func isSameFile(as target: OutputPlan.Target) -> Bool { files.contains { $0.isSameFile(as: target) } }

  /// The columns that every job carries, where the input alone knows them; reads the first row.
  mutating func allKept() throws(InputError) -> [String] {
    if reader == nil { try open() }
    return kept ?? []
  }

  /// How much of the input has been read, in 0...1; nil when the size is unknown.
  var fractionRead: Double? {
    var (read, size) = (0, 0)
    for file in files {
      guard let own = file.size, own > 0 else { return nil }
      read += min(own, file.bytesRead)
      size += own
    }
    return size > 0 ? Double(read) / Double(size) : nil
  }

  /// At least one and at most `limit` jobs; none at the end.
  ///
  /// A burst ends early rather than wait for a slow source. After an error there is nothing more.
  package mutating func nextBurst(limit: Int) throws(InputError) -> [JobDraft] {
    if let failure { throw failure }
    var jobs: [JobDraft] = []
    do {
      while jobs.count < max(limit, 1) {
        if var job = try reader?.next() {
          job.source = number
          jobs.append(job)
        } else if !jobs.isEmpty {
          break
        } else if bytes != nil {
          try take()
        } else if number + 1 < plan.sources.count {
          try open()
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

  private mutating func take() throws(InputError) {
    let chunk = try bytes?.nextChunk()
    if chunk == nil { bytes = nil }
    try reader?.take(chunk)
  }

  /// Turns to the next source.
  private mutating func open() throws(InputError) {
    number += 1
    let source = plan.sources[number]
    var context = context
    context.source = plan.sources.count > 1 ? source.name : nil
    if case .arguments(let links) = source {
      reader = ArgumentJobs(links, context)
      return
    }
    let text = try plan.text(of: origins[number], named: source)
    (reader, bytes) = (try plan.reader(of: text, named: source, context), text)
    if plan.columns.keepsAll { try compareColumns(of: source) }
  }

  /// Reads as far as the row of names: all sources have to have the same columns, which all jobs carry.
  private mutating func compareColumns(of source: InputPlan.Source) throws(InputError) {
    while reader?.keptNames == nil { try take() }
    let names = reader?.keptNames ?? []
    if let kept, let extra = names.first(where: { !kept.contains($0) }) {
      throw InputError(
        source.name,
        "the column \(Printable.quoted(extra)) is not in the first input; name the columns to keep instead of all"
      )
    }
    kept = kept ?? names
  }
}

/// One input format: makes jobs of bytes.
protocol JobReader {
  /// The names of the columns that every job carries; nil until the row of names was taken.
  var keptNames: [String]? { get }
  /// Takes the next piece of the input, when there is no job left of those before it.
  ///
  /// - Parameter chunk: nil at the end.
  mutating func take(_ chunk: [UInt8]?) throws(InputError)
  /// The next job of what was taken; nil when it needs another piece.
  mutating func next() throws(InputError) -> JobDraft?
}

extension JobReader {
  var keptNames: [String]? { [] }
}

/// A link per line; blank lines, and those that begin with #, are skipped.
struct LineJobs: JobReader {
  private let context: InputContext
  private var lines = LineReader()

  init(_ context: InputContext) { self.context = context }

  mutating func take(_ chunk: [UInt8]?) { lines.take(chunk) }

  mutating func next() -> JobDraft? {
    while let line = lines.next() {
      let text = LinkText.trim(line.bytes)
      guard !text.isEmpty, text.first != UInt8(ascii: "#") else { continue }
      return context.job(linkedTo: text, isTooLong: line.isTooLong, line: line.number)
    }
    return nil
  }
}

/// The links of a command line, which has no bytes to take.
struct ArgumentJobs: JobReader {
  private let links: [String]
  private let context: InputContext
  private var position = 0

  init(_ links: [String], _ context: InputContext) {
    (self.links, self.context) = (links, context)
  }

  mutating func take(_ chunk: [UInt8]?) {}

  mutating func next() -> JobDraft? {
    guard position < links.count else { return nil }
    let link = Array(links[position].utf8)
    position += 1
    return context.job(
      linkedTo: link[...], isTooLong: link.count > LineReader.limit, line: position,
      place: "argument \(position)")
  }
}

/// Cuts the pieces of an input into lines at LF; of a line over the limit only the beginning is kept.
struct LineReader {
  /// What a link may have, and so a line that is one.
  static let limit = 65_536

  struct Line {
    var bytes: ArraySlice<UInt8>
    /// Counted from 1.
    var number: Int
    var isTooLong: Bool
  }

  /// Bytes of a line without its LF.
  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  /// The beginning of a line whose end is not there yet; one byte over the limit marks it as too long.
  private var carried: [UInt8] = []
  private var number = 0
  private var hasEnded = false

  init(limit: Int = Self.limit) {
    self.limit = limit
  }

  /// - Parameter chunk: nil at the end.
  mutating func take(_ chunk: [UInt8]?) {
    (self.chunk, position, hasEnded) = (chunk ?? [], 0, chunk == nil)
  }

  /// nil when it needs another piece.
  mutating func next() -> Line? {
    let end = chunk.span.firstIndex(of: UInt8(ascii: "\n"), from: position)
    if end < chunk.count {
      defer { position = end + 1 }
      return finish(chunk[position..<end])
    }
    carry(chunk[position...])
    position = chunk.count
    return hasEnded && !carried.isEmpty ? finish([]) : nil
  }

  private mutating func carry(_ piece: ArraySlice<UInt8>) {
    carried += piece.prefix(limit + 1 - carried.count)
  }

  private mutating func finish(_ piece: ArraySlice<UInt8>) -> Line {
    number += 1
    guard !carried.isEmpty else {
      return Line(bytes: piece, number: number, isTooLong: piece.count > limit)
    }
    carry(piece)
    let line = exchange(&carried, with: [])
    return Line(bytes: line[...], number: number, isTooLong: line.count > limit)
  }
}
