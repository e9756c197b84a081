/// All jobs of an input, pulled in bursts by a thread that may block.
package struct JobSource {
  /// A source that is open, and whose format its first bytes tell.
  struct Waiting {
    var name: String
    var bytes: DescriptorSource
    var reader: () throws(InputError) -> any JobReader
  }

  private var reader: any JobReader
  /// Which source is read, counted from 0.
  private var number = 0
  private var waiting: ArraySlice<Waiting> = []
  /// What the bytes come from in the end.
  private let origins: [DescriptorSource]
  /// The columns that all jobs carry; nil until the first source's are known, or where the user named them.
  private var keptNames: [String]?
  private let keepsAll: Bool
  /// A fault that was met behind jobs which are still good.
  private var failure: InputError?

  package init(_ reader: any JobReader) {
    self.reader = reader
    (origins, keepsAll) = ([], false)
  }

  /// - Parameter keepsAll: All sources are tables with the same columns, and jobs carry all of them.
  init?(_ sources: [Waiting], keepsAll: Bool) throws(InputError) {
    guard let first = sources.first else { return nil }
    reader = try first.reader()
    waiting = sources.dropFirst()
    origins = sources.map(\.bytes)
    self.keepsAll = keepsAll
    if keepsAll { keptNames = try reader.keptNames() }
  }

  /// The columns that every job carries, where the input alone knows them.
  var allKept: [String] { keptNames ?? [] }

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
    let limit = max(limit, 1)
    var drafts: [InputJob] = []
    do {
      reading: while drafts.count < limit {
        switch try reader.next(mayWait: drafts.isEmpty) {
        case .item(var draft):
          draft.source = number
          drafts.append(draft)
        case .pending where !drafts.isEmpty: break reading
        case .pending: continue
        case .end:
          // The next source may make its reader wait for the first bytes.
          guard drafts.isEmpty, let next = waiting.popFirst() else { break reading }
          try open(next)
        }
      }
    } catch {
      failure = error
      guard !drafts.isEmpty else { throw error }
    }
    return drafts
  }

  private mutating func open(_ next: Waiting) throws(InputError) {
    reader = try next.reader()
    number += 1
    guard keepsAll, let keptNames else { return }
    if let extra = try reader.keptNames().first(where: { !keptNames.contains($0) }) {
      throw InputError(
        next.name,
        "the column \(Printable.quoted(extra)) is not in the first input; name the columns to keep instead of all"
      )
    }
  }
}
