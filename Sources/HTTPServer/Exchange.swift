import HTTPMessages

/// A request on its way to its response.
final class Exchange {
  let head: RequestHead
  let reaction: Reaction
  var body: [UInt8] = []
  /// Of a streamed response, whose head has said so.
  var keepsAlive = false
  private(set) var stream: ResponseStream?
  private var task: Task<Void, Never>?
  private var expectsContinue: Bool

  init(_ head: RequestHead, _ reaction: Reaction) {
    (self.head, self.reaction) = (head, reaction)
    expectsContinue = head.expectsContinue && head.hasBody
  }

  var bodyLimit: Int {
    switch reaction {
    case .answer: 0
    case .task(let limit, _): limit
    }
  }

  /// Whether the client has to be told that its body is wanted, which it is once.
  func takeExpectation() -> Bool {
    defer { expectsContinue = false }
    return expectsContinue && body.isEmpty
  }

  func clientLeft() {
    task?.cancel()
    stream?.clientLeft()
  }

  func start(_ work: @escaping RequestTask.Work, by client: Client, _ id: UInt64, _ loop: ServerLoop) {
    let stream = ResponseStream(id: id, mailbox: loop.mailbox, isChunked: head.isVersion11)
    let request = Request(head: head, body: body, client: client)
    (self.stream, body) = (stream, [])
    task = RequestTask(request: request, id: id, mailbox: loop.mailbox, stream: stream, work: work)
      .start(until: loop.ending)
  }
}
