/// One input format: turns bytes into drafts, one at a time.
protocol JobReader {
  /// The next job; `pending` instead of waiting for the source, unless the caller has nothing else to do.
  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob>
}

/// A link per line; blank lines are skipped, and nothing else is.
struct LineJobs: JobReader {
  private var lines: LineReader

  init(_ source: any ByteSource) {
    lines = LineReader(source)
  }

  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob> {
    while true {
      switch try lines.next(mayWait: mayWait) {
      case .end: return .end
      case .pending: return .pending
      case .item(let line):
        let draft = LinkText.draft(
          of: line.bytes, isTooLong: line.isTooLong, line: line.number, place: "line \(line.number)")
        if draft.problem?.kind != .missingInput { return .item(draft) }
      }
    }
  }
}

/// The links of a command line.
struct ArgumentJobs: JobReader {
  private let links: [String]
  private var position = 0

  init(_ links: [String]) {
    self.links = links
  }

  mutating func next(mayWait: Bool) -> NextItem<InputJob> {
    guard position < links.count else { return .end }
    defer { position += 1 }
    let number = position + 1
    return .item(
      LinkText.draft(
        of: Array(links[position].utf8)[...], isTooLong: links[position].utf8.count > LineReader.limit,
        line: number, place: "argument \(number)"))
  }
}
