/// Answers to operators, apart from the few to every client.
extension Answer {
  func writeToOperator(in frame: inout FrameWriter) {
    switch self {
    case .job(let id, let json): frame.answer(id, json)
    case .jobs(let json, let next, let query): frame.answer(json, next: next, to: query)
    case .care(let json, let query):
      frame.answers(query, QuestionCode.care)
      frame.payload.block(json)
    case .storedRows(let after, let page):
      frame.header.flags = QuestionCode.storedRows
      frame.payload.storedRows(after, page)
    case .pausing(let scope, let isPaused, let wasChanged, let query):
      frame.answers(query, QuestionCode.pause)
      frame.add(hostOf: scope)
      frame.payload.integer(UInt8(isPaused ? 1 : 0))
      frame.payload.integer(UInt8(wasChanged ? 1 : 0))
    case .drained(let worker, let outcome, let query):
      frame.answers(query, QuestionCode.drain)
      frame.add(.worker) { $0.uuid(worker.uuid) }
      outcome.write(to: &frame.payload)
    case .scaled(let role, let count):
      frame.header.flags = QuestionCode.scale
      frame.add(.role) { $0.integer(role.rawValue) }
      frame.payload.integer(count)
    case .fetchOptions(let options):
      frame.header.flags = QuestionCode.fetchOptions
      frame.payload.integer(UInt8(options == nil ? 0 : 1))
      options?.write(to: &frame.payload)
    case .batches(let json, let next, let query):
      frame.answers(query, QuestionCode.batches)
      frame.payload.block(json)
      frame.payload.integer(next ?? 0)
    case .changed(_, let isKnown, let query):
      frame.answers(query, QuestionCode.change)
      frame.payload.integer(UInt8(isKnown ? 1 : 0))
    case .rows, .complete, .status, .progress, .requeued, .cancelled: break
    }
  }

  static func toOperator(_ frame: inout FrameReader) throws(FrameError) -> Answer {
    switch frame.header.flags {
    case QuestionCode.pause:
      return .pausing(
        try frame.pauseScope(), isPaused: try frame.payload.flag("paused"),
        wasChanged: try frame.payload.flag("changed"), to: frame.header.id)
    case QuestionCode.job:
      let id = JobID(try frame.payload.uuid("job"))
      let json = try frame.payload.block("job")
      return .job(id, json.isEmpty ? nil : Array(json))
    case QuestionCode.jobs:
      let json = Array(try frame.payload.block("jobs"))
      return .jobs(json, next: try frame.payload.place(), to: frame.header.id)
    case QuestionCode.batches:
      let json = Array(try frame.payload.block("batches"))
      let next = try frame.payload.integer("place", as: Int64.self)
      return .batches(json, next: next == 0 ? nil : next, to: frame.header.id)
    case QuestionCode.change:
      return .changed(
        try frame.batch(), isKnown: try frame.payload.flag("known"), to: frame.header.id)
    case QuestionCode.care: return .care(Array(try frame.payload.block("report")), to: frame.header.id)
    case QuestionCode.storedRows:
      let after = RowPlace(try frame.payload.integer("after", as: UInt64.self))
      return .storedRows(after: after, try frame.payload.storedRows())
    case QuestionCode.drain:
      return .drained(try frame.worker(), try DrainOutcome(&frame.payload), to: frame.header.id)
    case QuestionCode.scale: return .scaled(try frame.role(), to: try frame.payload.integer("count"))
    case QuestionCode.fetchOptions:
      return .fetchOptions(try frame.payload.flag("options") ? FetchOptions(&frame.payload) : nil)
    default: throw .malformed("answer")
    }
  }
}

extension DrainOutcome {
  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .leaving(let jobs):
      writer.integer(UInt8(1))
      writer.integer(jobs)
    case .gone: writer.integer(UInt8(2))
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FrameError) {
    switch try reader.integer("outcome", as: UInt8.self) {
    case 1: self = .leaving(jobs: try reader.integer("jobs"))
    case 2: self = .gone
    default: throw .malformed("outcome")
    }
  }
}
