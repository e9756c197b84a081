import JSONQuery
import Links
import Pages
import Pipeline

/// How long reading one document may take. Each reader is linear or counts its steps, so only a hostile document on a
/// slow machine meets it.
struct ReadingTime {
  static let seconds: Int64 = 10

  private let clock: any PipelineClock
  private let end: Moment

  init(on clock: any PipelineClock) {
    self.clock = clock
    end = clock.now.advanced(byMilliseconds: Self.seconds * 1_000)
  }

  var isOver: Bool { clock.now >= end }

  /// Another attempt would take as long.
  func failure(reading url: String) -> Failure {
    Failure(.deadline, at: .page, "read \(url): reading the page took longer than \(Self.seconds) s")
  }
}

/// Reads one document, and says what is in it.
struct DocumentReader: Sendable {
  let clock: any PipelineClock

  /// For a long document, which would hold up all that shares the caller's thread.
  @concurrent func readOnPool(_ document: Document, by worker: WorkerID) async -> JobResult {
    await withTaskExecutorPreference(globalConcurrentExecutor) { @concurrent in
      read(document, by: worker)
    }
  }

  /// A result that can be sent: no message is larger than a frame.
  func read(_ document: Document, by worker: WorkerID) -> JobResult {
    let start = clock.now
    let before = document.continuation?.oembed?.members ?? document.members
    var row = JSONWriter(reservingCapacity: before.count + 1_024)
    row.members(before)
    let end = read(document, into: &row)
    var result = JobResult(
      job: document.order.job.id, sender: worker, lease: document.order.lease, failure: nil, members: [],
      milliseconds: UInt32(
        clamping: Int64(document.elapsedMilliseconds) + clock.now.milliseconds(since: start)))
    switch end {
    case .leadsOn(let continuation): (result.continuation, result.caching) = (continuation, document.caching)
    case .over(let failure):
      (result.failure, result.members) = (failure, row.bytes)
      if let bytes = result.longRow(of: document.order.job) {
        (result.failure, result.members) = (.longRow(of: document.url, bytes), before)
      }
      if result.failure != nil { result.failedHost = try? WebURL(document.url).hostKey }
      result.caching = document.continuation?.oembed.map(\.caching) ?? document.caching
    }
    return result.fitting(document.order.job)
  }

  private func read(_ document: Document, into row: inout JSONWriter) -> StepEnd {
    let time = ReadingTime(on: clock)
    if let oembed = document.continuation?.oembed {
      return .over(EmbedStep.read(document, of: oembed, into: &row))
    }
    switch PageRefresh.read(in: document, while: time) {
    case .none: break
    case .later(let refresh): refresh.write(to: &row)
    case .leadsOn(let continuation): return .leadsOn(continuation)
    }
    switch document.order.job.kind {
    case .title: return PageStep.read(document, while: time, into: &row)
    case .decode: return .over(DataStep.read(document, into: &row))
    case .echo: return .over(EchoStep.read(document, at: clock.microseconds, into: &row))
    case .unfurl where document.continuation != nil: return .over(nil)
    case .unfurl, .run:
      return .over(
        Failure(.underlying, at: .queue, "the job has nothing for a decoder to do; please report this"))
    }
  }
}
