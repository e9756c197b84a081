package import HTTPMessages

/// What a server's owner does with requests.
package struct Service: Sendable {
  /// Called on the thread that serves all connections, so it must not block.
  package var react: @Sendable (RequestHead, Client) -> Reaction
  /// Makes the body of an answer that the server itself gives: to what is no request, or when there are too many.
  package var refuse: @Sendable (_ status: Int, _ reason: String) -> Answer

  package init(
    refuse: @escaping @Sendable (_ status: Int, _ reason: String) -> Answer = { Answer($0, text: $1) },
    react: @escaping @Sendable (RequestHead, Client) -> Reaction
  ) {
    (self.refuse, self.react) = (refuse, react)
  }
}

/// Who sent a request.
package struct Client: Hashable, Sendable {
  /// The address; nil at a Unix socket.
  package let host: String?
  /// What its connections are counted by; empty at a Unix socket.
  let network: [UInt64]
}

/// How a request will be answered.
package enum Reaction: Sendable {
  /// With what is there already. A body is not read; then the connection ends.
  case answer(Answer)
  /// By a task of its own, once the body is there. It is cancelled when the client leaves.
  case task(bodyLimit: Int = 0, @Sendable (Request) async -> Reply)
}

package struct Request: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
  package let client: Client
}

package enum Reply: Sendable {
  case whole(Answer)
  /// Has its body written bit by bit. When that throws, the connection is cut, so that the client sees that bytes miss.
  case stream(ResponseHead, @Sendable (AnswerStream) async throws -> Void)
}
