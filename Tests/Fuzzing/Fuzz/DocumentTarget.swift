import HalyardCLI
import Pipeline
import Roles

@Sendable func checkMarkdown(_ bytes: [UInt8]) { checkDocument(bytes, as: .markdown) }
@Sendable func checkHTML(_ bytes: [UInt8]) { checkDocument(bytes, as: .html) }
@Sendable func checkText(_ bytes: [UInt8]) { checkDocument(bytes, as: .text) }

/// The links of a document: each has a place in it, in order, and a text that is not too long.
private func checkDocument(_ bytes: [UInt8], as format: InputFormat) {
  let reading = read([bytes], as: format)
  let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
  var last: (line: UInt32, column: UInt32) = (1, 1)
  for job in reading.jobs {
    guard let origin = job.origin else {
      require(false, "a link has no place")
      return
    }
    require((1...max(lines, 1)).contains(Int(origin.line)), "there is no line \(origin.line)")
    require((1...bytes.count + 1).contains(Int(origin.column)), "there is no column \(origin.column)")
    require((origin.line, origin.column) >= last, "places go back")
    require((origin.text?.utf8.count ?? 1) <= 200, "a text is too long")
    last = (origin.line, origin.column)
  }
  require(reading.jobs.count <= bytes.count, "there are more links than bytes")
}
