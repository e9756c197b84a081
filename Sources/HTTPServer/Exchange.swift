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

  /// Makes the response away from the loop's thread.
  func start(_ work: @escaping Reaction.Work, _ id: UInt64, _ loop: ServerLoop) {
    let stream = ResponseStream(id: id, mailbox: loop.mailbox, isChunked: head.isVersion11)
    let request = Request(head: head, body: body)
    (self.stream, body) = (stream, [])
    let ending = loop.ending
    ending.began()
    task = Task {
      await stream.give(await work(request), to: request)
      ending.ended()
    }
  }
}
