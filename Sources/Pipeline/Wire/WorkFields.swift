extension TracePoint: Archived {
  static let blank = TracePoint(role: .producer, microseconds: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &role)
    coder.field(2, &microseconds)
  }
}

extension JobOrder: Archived {
  static var blank: JobOrder { JobOrder(job: .blank, lease: Lease(token: LeaseToken(0), attempt: 0)) }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &job)
    coder.need(2, &lease.token)
    coder.field(3, &lease.attempt)
    coder.field(5, &isSuspect)
    coder.field(6, &trace)
    coder.field(7, &continuation)
    coder.field(8, &caching)
  }
}

extension Document: Archived {
  static var blank: Document {
    Document(
      order: .blank, sender: .none, url: "", failure: nil, contentType: nil, truncated: false,
      elapsedMilliseconds: 0, members: [], body: [])
  }

  /// Its order's fields come first.
  mutating func code(_ coder: inout some Coder) {
    order.code(&coder)
    coder.need(20, &sender)
    coder.field(21, &url)
    coder.field(22, &failure)
    coder.field(23, &contentType)
    coder.field(24, &truncated)
    coder.field(25, &isCapped)
    coder.field(26, &elapsedMilliseconds)
    coder.field(27, &waitedMilliseconds)
    coder.bytes(28, &members)
    coder.bytes(29, &body)
    coder.field(30, &continuation)
    coder.field(31, &caching)
    coder.field(32, &note)
  }
}

extension JobResult: Archived {
  static var blank: JobResult {
    JobResult(
      job: .none, sender: .none, lease: Lease(token: LeaseToken(0), attempt: 0), failure: nil, members: [],
      milliseconds: 0)
  }

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &job)
    coder.need(2, &lease.token)
    coder.field(3, &lease.attempt)
    coder.need(4, &sender)
    coder.field(5, &standsAnyway)
    var host = failedHost
    coder.field(6, &host)
    if coder.isReading { failedHost = host }
    coder.field(7, &failure)
    coder.field(8, &sideFailure)
    coder.field(9, &caching)
    coder.field(10, &continuation)
    coder.field(11, &milliseconds)
    coder.bytes(12, &members)
  }
}

extension Continuation: Archived {
  static let blank = Continuation(
    url: "", hops: [], visits: [], cookies: [], hasLeft: false, elapsedMilliseconds: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &url)
    coder.bytes(2, &hops)
    coder.packed(3, &visits)
    coder.field(4, &cookies)
    coder.field(5, &hasLeft)
    coder.field(6, &elapsedMilliseconds)
    // Who does not know it would take the endpoint for the page.
    coder.field(7, &oembed, isCritical: true)
    coder.bound(allBytes, to: Self.mostBytes, fits)
  }
}

extension OEmbedContinuation: Archived {
  static let blank = OEmbedContinuation(members: [], card: [])

  mutating func code(_ coder: inout some Coder) {
    coder.bytes(1, &members)
    coder.bytes(2, &card)
    coder.field(3, &failure)
    coder.field(4, &caching)
  }
}

extension CachePolicy: Archived {
  static let blank = CachePolicy()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &known)
  }
}

extension CacheNote: Archived {
  static let blank = CacheNote()

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &isOfFailure)
    coder.field(2, &isUnchanged)
    coder.field(3, &validators)
  }
}

extension Validators: Archived {
  static let blank = Validators.none

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &url)
    coder.field(2, &entityTag)
    coder.field(3, &lastModified)
    coder.require(isSound, "text")
  }
}

extension ResponseNote: Archived {
  static let blank = ResponseNote.none

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &disposition)
    coder.field(2, &language)
    coder.field(3, &length)
    coder.field(4, &isChallenge)
    coder.field(5, &links)
    if coder.isReading { bound() }
  }
}
