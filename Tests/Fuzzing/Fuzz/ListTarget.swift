import HalyardCLI
import Roles

/// An input behind a byte that picks its format: the same jobs and the same end, however the bytes arrive.
@Sendable func checkList(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let formats = InputFormat.allCases
  let format = formats[Int(first) % formats.count]
  let content = Array(bytes.dropFirst())
  let whole = read([content], as: format)
  let pieces = stride(from: 0, to: content.count, by: 3).map {
    Array(content[$0..<min($0 + 3, content.count)])
  }
  require(read(pieces, as: format) == whole, "the jobs depend on how the bytes arrive")
  require(whole.jobs.count <= content.count, "there are more jobs than bytes")
}

struct ListReading: Equatable {
  var jobs: [JobDraft] = []
  var fault: InputError?
}

func read(_ pieces: [[UInt8]], as format: InputFormat) -> ListReading {
  var reading = ListReading()
  do throws(InputError) {
    var source = JobSource(InputPlan(format: format), of: [Pieces(pieces)])
    while case let burst = try source.nextBurst(limit: 64), !burst.isEmpty { reading.jobs += burst }
  } catch {
    reading.fault = error
  }
  return reading
}

private final class Pieces: ByteSource {
  private var rest: ArraySlice<[UInt8]>

  init(_ pieces: [[UInt8]]) { rest = pieces[...] }

  func nextChunk() throws(InputError) -> [UInt8]? { rest.popFirst() }
}
