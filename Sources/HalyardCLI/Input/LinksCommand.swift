internal import JSONQuery
import Pipeline
import Roles

/// How `links` prints them.
enum LinkFormat: String, CaseIterable, Sendable {
  /// One a line.
  case lines
  /// Jobs with their places.
  case jsonl
}

/// The command `links`: prints the links of documents, and fetches nothing.
struct LinksCommand {
  private static let burst = 256
  /// Bytes of a line beside its link.
  private static let typicalOrigin = 160

  private let input: InputPlan
  private let format: LinkFormat
  private let isQuiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try InputPlan(files: arguments)
    format = arguments[LinkOption.linkFormat]
    isQuiet = arguments[LinkOption.quiet]
  }

  func run() throws -> ExitCode {
    var source = try input.open()
    let sink = DescriptorSink(format == .jsonl ? .json : .text)
    var failed = 0
    var selection = try LinkSelection()
    while case let jobs = try source.nextBurst(limit: Self.burst), !jobs.isEmpty {
      var printed: [UInt8] = []
      for job in jobs where try selection.takes(job) {
        if let refusal = job.refusal {
          failed += 1
          Message.show("halyard: \(refusal.message)\n")
        } else {
          printed += line(job)
        }
      }
      if !printed.isEmpty { try sink.write(printed) }
    }
    if !isQuiet, !selection.leftOut.isEmpty { Message.show("halyard: \(selection.leftOut.words)\n") }
    return failed == 0 ? .ok : .someFailed
  }

  private func line(_ job: JobDraft) -> [UInt8] {
    let url = job.input ?? ""
    switch format {
    case .lines:
      // A cell of a table may hold line ends.
      return url.utf8.filter { !isLineEnd($0) } + [UInt8(ascii: "\n")]
    case .jsonl:
      return JSONWriter.line(reservingCapacity: url.utf8.count + Self.typicalOrigin) { line in
        line.member("url", url)
        line.member("ref", job.ref)
        if let origin = job.origin { origin.write(to: &line) }
      }
    }
  }
}
