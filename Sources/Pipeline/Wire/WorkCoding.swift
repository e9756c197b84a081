extension JobOrder {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.job, form)
    fill(&frame)
    return frame
  }

  fileprivate func fill(_ frame: inout FrameWriter) {
    frame.header.kind = job.kind.rawValue
    frame.header.job = job.id.uuid
    frame.header.lease = lease.token
    frame.header.attempt = lease.attempt
    frame.header.step = step
    if isSuspect { frame.header.flags |= JobOrder.suspectFlag }
    frame.header.deadline = job.deadline?.unixMilliseconds ?? 0
    frame.payload.job(job)
    frame.continuation(continuation, Self.continuationFlags)
    if !trace.isEmpty { frame.add(.trace) { $0.trace(trace) } }
    caching?.add(to: &frame)
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    try self.init(carriedBy: &frame)
    guard nextStep != nil else { throw .malformed("step") }
  }

  /// Its slip may be done: a document can be all that is left to read.
  fileprivate init(carriedBy frame: inout FrameReader) throws(FrameError) {
    let job = try frame.payload.job()
    guard job.id.uuid == frame.header.job, job.kind.rawValue == frame.header.kind,
      Int(frame.header.step) <= job.slip.steps.count
    else { throw .malformed("header and job differ") }
    self.init(job: job, lease: Lease(frame.header), step: frame.header.step)
    isSuspect = frame.header.flags & Self.suspectFlag != 0
    continuation = try frame.continuation(Self.continuationFlags)
    if var found = frame.first(.trace) { trace = try found.trace() }
    caching = try CachePolicy(frame)
  }

  fileprivate static let suspectFlag: UInt16 = 2
  private static let continuationFlags: ContinuationFlags = (own: 4, oembed: 16)
}

extension Lease {
  fileprivate init(_ header: FrameHeader) {
    self.init(token: header.lease, attempt: header.attempt)
  }
}

extension Document {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.document, form)
    frame.payload.reserve(body.count + members.count + 512)
    order.fill(&frame)
    if truncated { frame.header.flags |= Self.truncatedFlag }
    if isCapped { frame.header.flags |= Self.cappedFlag }
    frame.add(.worker) { $0.uuid(sender.uuid) }
    caching?.add(to: &frame)
    note?.add(to: &frame)
    if waitedMilliseconds > 0 { frame.add(.waited) { $0.integer(waitedMilliseconds) } }
    frame.payload.text(url)
    frame.payload.optionalFailure(failure)
    frame.payload.optionalText(contentType)
    frame.payload.integer(elapsedMilliseconds)
    frame.payload.block(members)
    frame.payload.block(body)
    frame.continuation(continuation, Self.continuationFlags)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let order = try JobOrder(carriedBy: &frame)
    self.init(
      order: order,
      sender: try frame.worker(),
      url: try frame.payload.text("url"),
      failure: try frame.payload.optionalFailure(),
      contentType: try frame.payload.optionalText("content type"),
      truncated: frame.header.flags & Self.truncatedFlag != 0,
      elapsedMilliseconds: try frame.payload.integer("elapsed"),
      members: Array(try frame.payload.block("members")),
      body: Array(try frame.payload.block("body")))
    isCapped = frame.header.flags & Self.cappedFlag != 0
    continuation = try frame.continuation(Self.continuationFlags)
    caching = try CacheNote(frame)
    note = try ResponseNote(frame)
    if var found = frame.first(.waited) { waitedMilliseconds = try found.integer("waited") }
  }

  private static let truncatedFlag: UInt16 = 1
  private static let continuationFlags: ContinuationFlags = (own: 8, oembed: 32)
  private static let cappedFlag: UInt16 = 64
}

extension JobResult {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.result, form)
    frame.header.job = job.uuid
    frame.header.lease = lease.token
    frame.header.attempt = lease.attempt
    frame.add(.worker) { $0.uuid(sender.uuid) }
    if standsAnyway { frame.header.flags |= Self.standsAnywayFlag }
    if let failedHost { frame.add(.host) { $0.text(failedHost) } }
    if let failure { frame.add(.failure) { $0.failure(failure) } }
    if let sideFailure { frame.add(.sideFailure) { $0.failure(sideFailure) } }
    caching?.add(to: &frame)
    frame.continuation(continuation, Self.continuationFlags)
    frame.payload.integer(milliseconds)
    frame.payload.raw(members)
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    var failure: Failure?
    if var found = frame.first(.failure) { failure = try found.failure() }
    var host: String?
    if var found = frame.first(.host) { host = try found.text("host") }
    let continuation = try frame.continuation(Self.continuationFlags)
    let milliseconds = try frame.payload.integer("milliseconds", as: UInt32.self)
    self.init(
      job: JobID(frame.header.job), sender: try frame.worker(), lease: Lease(frame.header), failure: failure,
      failedHost: host, members: Array(frame.payload.rest()), milliseconds: milliseconds)
    self.continuation = continuation
    if var found = frame.first(.sideFailure) { sideFailure = try found.failure() }
    caching = try CacheNote(frame)
    standsAnyway = frame.header.flags & Self.standsAnywayFlag != 0
  }

  private static let standsAnywayFlag: UInt16 = 1
  private static let continuationFlags: ContinuationFlags = (own: 2, oembed: 4)
}

extension Cancel {
  func frame(_ form: ByteWriter.Form) -> FrameWriter {
    var frame = FrameWriter(.cancel, form)
    frame.payload.text(cause)
    switch scope {
    case .leases(let tokens):
      frame.header.flags = 1
      frame.payload.tokens(tokens)
    case .waiting(let batch):
      frame.header.flags = 2
      frame.add(.batch) { $0.uuid(batch.uuid) }
    case .all(let batch):
      frame.header.flags = 3
      frame.add(.batch) { $0.uuid(batch.uuid) }
    case .jobs(let batch, let ordinals):
      frame.header.flags = 4
      frame.add(.batch) { $0.uuid(batch.uuid) }
      frame.payload.tokens(ordinals.map { LeaseToken($0) })
    }
    return frame
  }

  init(_ frame: inout FrameReader) throws(FrameError) {
    let cause = try frame.payload.text("cause")
    let scope: Scope
    switch frame.header.flags {
    case 1: scope = .leases(try frame.payload.tokens("tokens"))
    case 2: scope = .waiting(try frame.batch())
    case 3: scope = .all(try frame.batch())
    case 4: scope = .jobs(of: try frame.batch(), try frame.payload.tokens("ordinals").map(\.value))
    default: throw .malformed("scope")
    }
    self.init(scope, cause: cause)
  }
}

extension FrameReader {
  func batch() throws(FrameError) -> BatchID {
    var found = try find(.batch)
    return BatchID(try found.uuid("batch"))
  }

  func optionalBatch() throws(FrameError) -> BatchID? {
    guard var found = first(.batch) else { return nil }
    return BatchID(try found.uuid("batch"))
  }

  func worker() throws(FrameError) -> WorkerID {
    var found = try find(.worker)
    return WorkerID(try found.uuid("worker"))
  }

  func role() throws(FrameError) -> Role {
    var found = try find(.role)
    guard let role = Role(rawValue: try found.integer("role")) else { throw .malformed("role") }
    return role
  }

  func text(_ type: ExtensionType) throws(FrameError) -> String {
    var found = try find(type)
    return try found.text("text")
  }
}
