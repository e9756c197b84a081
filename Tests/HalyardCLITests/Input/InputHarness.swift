import Pipeline
import Roles

@testable import HalyardCLI

/// Serves prepared pieces, one per call, and then perhaps a fault.
final class ScriptedSource: ByteSource {
  private var pieces: [[UInt8]]
  private let fault: InputError?

  init(_ pieces: [[UInt8]], fault: InputError? = nil) {
    self.pieces = pieces.reversed()
    self.fault = fault
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    if let piece = pieces.popLast() { return piece }
    if let fault { throw fault }
    return nil
  }
}

/// Everything an input yields: its jobs, and the fault that ended it.
struct Yield: Hashable {
  var jobs: [JobDraft] = []
  var fault: InputError?

  var urls: [String?] { jobs.map(\.input) }
  var problems: [String?] { jobs.map { $0.refusal?.message } }
}

/// A job that stands on a line.
func placed(_ job: JobDraft, on line: Int) -> JobDraft {
  var job = job
  job.line = line
  return job
}

/// Reads an input to its end, in bursts of `burst` jobs.
func read(
  _ pieces: [[UInt8]], as format: InputFormat = .auto, link: String? = nil, keep: [String] = [],
  burst: Int = 7, fault: InputError? = nil, in context: InputContext = InputContext()
) -> Yield {
  let wish = CSVColumns.Wish(link: link, keep: keep)
  let plan = InputPlan([.file("links")], format: format, columns: wish)
  var yield = Yield()
  do {
    var source = JobSource(plan, of: [ScriptedSource(pieces, fault: fault)], context)
    while true {
      let jobs = try source.nextBurst(limit: burst)
      if jobs.isEmpty { return yield }
      yield.jobs += jobs
    }
  } catch {
    yield.fault = error
    return yield
  }
}

func read(
  _ text: String, as format: InputFormat = .auto, link: String? = nil, keep: [String] = [],
  in context: InputContext = InputContext()
) -> Yield {
  read([Array(text.utf8)], as: format, link: link, keep: keep, in: context)
}

/// The same bytes cut in many ways: whole, byte by byte, and at places a fixed generator picks.
func chunkings(of bytes: [UInt8]) -> [[[UInt8]]] {
  var random = FixedRandom(state: 42)
  let cut = (0..<12).map { round in
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int(random.next() % UInt64(1 << (1 + round))))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
  return [[bytes], bytes.map { [$0] }] + cut
}

/// SplitMix64 from a fixed start, so that a failing case comes back.
struct FixedRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
