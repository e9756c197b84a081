internal import Pipeline

/// What the end of a body makes of its response.
extension FetchOrder {
  /// - Parameter response: The response with what there is of its body.
  func complete(_ response: FetchResponse, _ end: BodyEnd) -> FetchResponse {
    var response = response
    switch (end, request.body) {
    case (.whole, _), (_, .nothing), (_, .startOfPage): break
    case (.codedAgain, _):
      let cause = "the body is compressed once more than its Content-Encoding says"
      response.fail(request.failure(.protocolError, at: .body, cause))
      response.body = []
    case (.cut, .page): (response.truncated, response.isCapped) = (true, true)
    case (.early, .page): response.truncated = true
    case (_, .page) where !response.body.isEmpty: response.truncated = true
    case (.cut, .whole(let cap)): response.fail(tooLarge(cap: cap))
    case (.early, .whole):
      response.fail(
        request.failure(
          .protocolError, at: .body, "the body ended in the middle of its content encoding", retryable: true))
    case (.broken, _):
      response.fail(request.failure(.protocolError, at: .body, "the body's content encoding is broken"))
    case (.swollen(let cap), _):
      response.fail(
        request.failure(
          .bodyTooLarge, at: .body, "between its content encodings the body is larger than \(cap) bytes"))
    case (.windowTooLarge, _):
      let mebibytes = 1 << (ContentCoding.windowBits - 20)
      let cause = "the body's content encoding wants a window of more than \(mebibytes) MiB"
      response.fail(request.failure(.protocolError, at: .body, cause))
    }
    return response
  }

  func tooLarge(cap: Int) -> Failure {
    request.failure(.bodyTooLarge, at: .body, "the body is larger than \(cap) bytes")
  }
}

extension FetchResponse {
  /// The head of the response stands.
  mutating func fail(_ failure: Failure) {
    truncated = true
    bodyFailure = failure
  }
}
