/// Answers about a fleet's members.
extension Answer {
  static let drainedCode: UInt16 = 20
  static let scaledCode: UInt16 = 21
  static let fetchOptionsCode: UInt16 = 22

  func writeOfMembers(to frame: inout FrameWriter) {
    switch self {
    case .drained(let worker, let outcome, let query):
      frame.header.job = query ?? FrameHeader.noID
      frame.header.flags = Self.drainedCode
      frame.add(.worker) { $0.uuid(worker.uuid) }
      outcome.write(to: &frame.payload)
    case .scaled(let role, let count):
      frame.header.flags = Self.scaledCode
      frame.add(.role) { $0.integer(role.rawValue) }
      frame.payload.integer(count)
    case .fetchOptions(let options):
      frame.header.flags = Self.fetchOptionsCode
      frame.payload.integer(UInt8(options == nil ? 0 : 1))
      options?.write(to: &frame.payload)
    case .rows, .complete, .status, .progress, .requeued, .cancelled: break
    }
  }

  /// nil for any other code.
  init?(ofMembers frame: inout FrameReader) throws(FrameError) {
    switch frame.header.flags {
    case Self.drainedCode:
      self = .drained(try frame.worker(), try DrainOutcome(&frame.payload), to: frame.header.id)
    case Self.scaledCode: self = .scaled(try frame.role(), to: try frame.payload.integer("count"))
    case Self.fetchOptionsCode:
      self = .fetchOptions(try frame.payload.flag("options") ? FetchOptions(&frame.payload) : nil)
    default: return nil
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
    case .tooOld: writer.integer(UInt8(3))
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FrameError) {
    switch try reader.integer("outcome", as: UInt8.self) {
    case 1: self = .leaving(jobs: try reader.integer("jobs"))
    case 2: self = .gone
    case 3: self = .tooOld
    default: throw .malformed("outcome")
    }
  }
}
