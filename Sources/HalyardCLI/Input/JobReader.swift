/// One input format: turns bytes into drafts, one at a time.
package protocol JobReader {
  /// The next job; `pending` instead of waiting for the source, unless the caller has nothing else to do.
  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob>
  /// The names of the columns that every job carries; reads as far as the row of names.
  mutating func keptNames() throws(InputError) -> [String]
}

extension JobReader {
  package mutating func keptNames() throws(InputError) -> [String] { [] }
}

/// A link per line; blank lines, and those that begin with #, are skipped.
struct LineJobs: JobReader {
  private var lines: LineReader
  private let places: InputPlaces

  init(_ source: any ByteSource, places: InputPlaces) {
    lines = LineReader(source)
    self.places = places
  }

  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob> {
    while true {
      switch try lines.next(mayWait: mayWait) {
      case .end: return .end
      case .pending: return .pending
      case .item(let line):
        let text = LinkText.trim(line.bytes)
        guard !text.isEmpty, text.first != UInt8(ascii: "#") else { continue }
        return .item(
          LinkText.draft(
            of: text, isTooLong: line.isTooLong, line: line.number, place: places.line(line.number)))
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
