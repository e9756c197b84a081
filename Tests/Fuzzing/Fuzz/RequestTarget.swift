import HTTPMessages

/// The first byte is the size of the pieces in which the rest comes, which are the requests of one connection.
@Sendable func checkRequests(_ bytes: [UInt8]) {
  guard let size = bytes.first.map({ Int($0 % 64) + 1 }) else { return }
  let rest = Array(bytes.dropFirst())
  let pieces = stride(from: 0, to: rest.count, by: size).map { Array(rest[$0..<min($0 + size, rest.count)]) }
  let (whole, cut) = (requests(in: [rest]), requests(in: pieces))
  require(whole == cut, "\(whole) became \(cut)")
}

/// Everything that is told of them.
private func requests(in pieces: [[UInt8]]) -> [String] {
  var parser = RequestParser()
  var told: [String] = []
  for piece in pieces {
    parser.receive(piece)
    reading: while true {
      switch parser.next() {
      case .needMore: break reading
      case .head(let head):
        parser.bodyLimit = 100
        told.append(description(of: head))
      case .expectation: break
      case .body(let body):
        require(body.count <= 100, "a body of \(body.count) bytes")
        told.append("\(body)")
      case .refuse(let refusal): return told + [refusal.reason]
      }
    }
  }
  return told
}

private func description(of head: RequestHead) -> String {
  require(head["host"] != nil || !head.isVersion11, "no Host")
  require(head.values("content-length").count <= 1, "two lengths")
  for name in ["host", "content-length", "connection"] {
    let isClean = head.values(name).allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }
    require(isClean, "a control byte in \(name)")
  }
  let items = head.queryItems.map { $0.map { "\($0.name)=\($0.value)" } }
  let target = "\(head.path) \(items ?? [])"
  return
    "\(head.method) \(target) \(String(describing: head.bodyLength)) \(head.keepsAlive) \(head.expectsContinue)"
}
