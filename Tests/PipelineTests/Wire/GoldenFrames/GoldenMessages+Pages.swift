import Pipeline

// Documents, and what leads on from them or is cached of them.
extension GoldenMessages {
  static let document = Document(
    order: order, sender: worker, url: "https://example.org/api?q=%C3%BC", failure: nil,
    contentType: "application/json", truncated: false, elapsedMilliseconds: 148,
    members: Array(#""url":"https://example.org/api""#.utf8), body: Array(#"{"items":[]}"#.utf8))

  static let failedDocument = Document(
    order: order, sender: worker, url: "https://example.org/gone", failure: failure, contentType: nil,
    truncated: true, elapsedMilliseconds: .max, members: [], body: [])

  static let continuation = Continuation(
    url: "https://example.org/next#part",
    hops: Array(#"{"url":"https://example.org/","status":200,"via":"meta_refresh","ms":5}"#.utf8),
    visits: [0xCBF2_9CE4_8422_2325, 0], cookies: ["example.org\tFALSE\t/\tTRUE\t0\tsession\tü"],
    hasLeft: true,
    elapsedMilliseconds: 148)

  static let continuationOrder: JobOrder = {
    var order = Self.order
    order.continuation = continuation
    return order
  }()

  static let linksDocument: Document = {
    var document = Self.document
    document.order = callOrder
    document.note = ResponseNote(
      disposition: nil, language: nil, length: nil,
      links: ["</users?page=2>; rel=\"next\"", "<https://example.org/ü>; rel=\"last\""])
    return document
  }()

  static let oembed: Continuation = {
    var continuation = Self.continuation
    continuation.oembed = OEmbedContinuation(
      members: Array(#""title":"Grüße""#.utf8), card: Array(#""oembed":"https://example.org/o""#.utf8),
      failure: Failure(.missingPageTitle, at: .page, "read https://example.org/: the page has no title"),
      caching: CacheNote(validators: validators))
    return continuation
  }()

  static let oembedOrder: JobOrder = {
    var order = JobOrder(job: embedJob, lease: Lease(token: token(99), attempt: 2))
    order.continuation = oembed
    return order
  }()

  static let oembedDocument: Document = {
    var document = Self.document
    document.order.job = embedJob
    document.continuation = oembed
    return document
  }()

  static let oembedResult: JobResult = {
    var result = Self.result(nil)
    (result.members, result.continuation) = ([], oembed)
    return result
  }()

  static let sideResult: JobResult = {
    var result = Self.result(nil)
    (result.sideFailure, result.failedHost) = (failure, "example.org:443")
    return result
  }()

  static let validators = Validators(
    url: "https://example.org/next", entityTag: #"W/"v1-ü""#, lastModified: "Tue, 14 Nov 2023 22:13:20 GMT")

  static let cachingOrder: JobOrder = {
    var order = Self.order
    order.caching = CachePolicy(known: validators)
    return order
  }()

  static let cachingDocument: Document = {
    var document = Self.document
    document.order.caching = CachePolicy()
    document.caching = CacheNote(isOfFailure: true)
    return document
  }()

  static let notedDocument: Document = {
    var document = Self.document
    document.note = ResponseNote(
      disposition: "attachment; filename=\"ü.pdf\"", language: "de", length: 1 << 33,
      isChallenge: true)
    return document
  }()

  static func cachingResult(unchanged: Bool) -> JobResult {
    var result = Self.result(nil)
    result.caching = CacheNote(validators: validators, isUnchanged: unchanged)
    return result
  }

  static let continuationDocument: Document = {
    var document = Self.document
    document.continuation = continuation
    return document
  }()

  static let continuationResult: JobResult = {
    var result = Self.result(nil)
    (result.members, result.continuation) = ([], continuation)
    return result
  }()
}
