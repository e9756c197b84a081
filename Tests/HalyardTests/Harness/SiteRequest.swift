import PipelineTesting

/// The head of a request, as far as a site of the tests looks at it.
struct SiteRequest {
  /// Without its query.
  let path: String
  private let lines: [Substring]

  init(_ head: String) {
    lines = head.split(separator: "\r\n")
    path = head.split(separator: " ").dropFirst().first.map { String($0.prefix { $0 != "?" }) } ?? ""
  }

  /// The value of a field, by its name in lower case.
  subscript(_ name: String) -> String? {
    let line = lines.dropFirst().first { $0.lowercased().hasPrefix("\(name): ") }
    return line.map { String($0.dropFirst(name.utf8.count + 2)) }
  }
}

extension RawPeer {
  /// Answers one request after the other, until an answer says that the connection ends, or the client has gone.
  func answerEach(_ answer: (SiteRequest) -> Bool) {
    while let head = readRequest(), answer(SiteRequest(head)) {}
  }

  /// Sends an answer with a length; false when the client has gone.
  func send(
    _ status: String = "200 OK", type: String = "text/html", fields: String = "", body: String
  ) -> Bool {
    send(
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    )
  }

  func redirect(to target: String) -> Bool {
    send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
  }
}
