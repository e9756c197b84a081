/// One input format: makes jobs of bytes.
package protocol JobReader {
  /// The names of the columns that every job carries; nil until the row of names was taken.
  var keptNames: [String]? { get }
  /// Takes the next piece of the input, when there is no job left of those before it.
  ///
  /// - Parameter chunk: nil at the end.
  mutating func take(_ chunk: [UInt8]?) throws(InputError)
  /// The next job of what was taken; nil when it needs another piece.
  mutating func next() throws(InputError) -> InputJob?
}

extension JobReader {
  package var keptNames: [String]? { [] }
}

/// A link per line; blank lines, and those that begin with #, are skipped.
struct LineJobs: JobReader {
  private let context: InputContext
  private var lines = LineReader()

  init(_ context: InputContext) { self.context = context }

  mutating func take(_ chunk: [UInt8]?) { lines.take(chunk) }

  mutating func next() -> InputJob? {
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

  mutating func next() -> InputJob? {
    guard position < links.count else { return nil }
    let link = Array(links[position].utf8)
    position += 1
    return context.job(
      linkedTo: link[...], isTooLong: link.count > LineReader.limit, line: position,
      place: "argument \(position)")
  }
}
