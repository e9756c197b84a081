import HTTPMessages

/// Makes a response away from the loop's thread, and puts it into the mailbox.
struct RequestTask: Sendable {
  typealias Work = @Sendable (Request) async -> Reply

  let request: Request
  let id: UInt64
  let mailbox: Mailbox
  let stream: ResponseStream
  let work: Work

  func start(until ending: Ending) -> Task<Void, Never> {
    ending.began()
    return Task {
      await run()
      ending.ended()
    }
  }

  private func run() async {
    switch await work(request) {
    case .whole(let answer): mailbox.put(.answer(answer, to: id))
    case .stream(let head, let produce):
      mailbox.put(.head(head, to: id))
      let hasContent = request.head.method != .head && head.canHaveContent
      guard hasContent else { return mailbox.put(.end([], to: id)) }
      do {
        try await produce(stream)
        mailbox.put(.end(stream.isChunked ? Chunk.end : [], to: id))
      } catch {
        mailbox.put(.end(nil, to: id))
      }
    }
  }
}
