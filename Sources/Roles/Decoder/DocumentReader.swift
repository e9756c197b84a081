import HTTPMessages
import JSONQuery
import Links
import Pages
import Pipeline
import Recipes

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

/// How a response holds its JSON: by its type, else by its first byte, else by the name it was fetched under.
enum BodyForm {
  private static let lineTypes: Set = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
    "application/jsonlines", "application/x-jsonlines", "application/json-lines", "application/x-json-lines",
    "application/x-json-stream", "application/stream+json", "text/x-ndjson", "text/ndjson", "text/jsonl",
    "text/x-jsonl", "text/jsonlines",
  ]
  /// They say nothing about what is inside.
  private static let vagueTypes: Set = [
    "", "text/plain", "application/octet-stream", "binary/octet-stream", "application/unknown", "*/*",
  ]

  static func of(_ document: Document) -> JSONForm {
    let type = document.contentType?.mediaType ?? ""
    if lineTypes.contains(type) { return .lines }
    if type == "application/json-seq" || type.hasSuffix("+json-seq") { return .sequence }
    if firstByte(of: document.body) == 0x1E { return .sequence }
    guard vagueTypes.contains(type), let path = try? WebURL(document.url).path.lowercased() else {
      return .text
    }
    return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") ? .lines : .text
  }

  private static func firstByte(of body: [UInt8]) -> UInt8? {
    body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3).first : body.first
  }
}

/// The answer to a recipe's call: what the recipe takes of it, and the way to the next page.
enum CallStep {
  /// Writes the members `value` and `next`; nothing of them when it fails.
  static func read(
    _ root: JSONValue, of document: Document, as reading: String, into row: inout JSONWriter
  ) throws(Failure) {
    let answer: CallAnswer
    do {
      let response = CallResponse(root, from: document.url, links: document.note?.links ?? [])
      answer = try CallReading(reading).answer(from: response)
    } catch {
      throw Failure(error)
    }
    row.key("value")
    row.value(answer.value)
    switch answer.next {
    case .none: return
    case .address(let url):
      row.member("next", url)
    case .pages(let count):
      row.member("next", count)
    }
  }
}

extension CallAnswer {
  /// What such a row says; nil when it is none.
  init?(row: [UInt8]) {
    guard let root = try? JSONDocument(parsing: row, limits: .around).root, let value = root["value"] else {
      return nil
    }
    self.init(value)
    if let address = root["next"]?.string { next = .address(address) }
    if let pages = root["next"]?.int64 { next = .pages(pages) }
  }
}

extension RecipeFailure {
  /// What the row of a call that failed says.
  init(row: [UInt8], _ kind: FailureKind) {
    let error = (try? JSONDocument(parsing: row, limits: .around).root)?["error"]
    self.init(
      kind: kind.rawValue, at: error?["stage"]?.string ?? "json",
      error?["message"]?.string ?? "the call failed")
  }
}

extension Failure {
  init(_ failure: RecipeFailure) {
    self.init(
      FailureKind(rawValue: failure.kind) ?? .underlying, at: Stage(rawValue: failure.stage) ?? .json,
      failure.message)
  }
}

/// The step `echo`: when each role had the job.
enum EchoStep {
  static func read(_ document: Document, at microseconds: Int64, into row: inout JSONWriter) -> Failure? {
    var order = document.order
    order.pass(.decoder, at: microseconds)
    row.beginObject("trace")
    for point in order.trace {
      row.member(point.role.name, point.microseconds)
    }
    row.endObject()
    return document.failure
  }
}
