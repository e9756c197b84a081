import HTTPMessages
import Testing

/// What a client sends, and what the parser makes of it.
struct RawRequest: CustomTestStringConvertible, Sendable {
  enum Outcome: Hashable, Sendable {
    /// Each request as `METHOD PATH BODY`.
    case read([String])
    /// The requests before it are read.
    case refused(Refusal, after: [String] = [])
    /// More has to come.
    case unfinished
  }

  let name: String
  let bytes: [UInt8]
  let outcome: Outcome

  init(_ name: String, _ text: String, _ outcome: Outcome) {
    self.init(name, Array(text.utf8), outcome)
  }

  init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
    (self.name, self.bytes, self.outcome) = (name, bytes, outcome)
  }

  var testDescription: String { name }
}

/// A GET of `/` that is right but for what is put in.
func get(_ fields: String = "", target: String = "/", version: String = "HTTP/1.1") -> String {
  "GET \(target) \(version)\r\nHost: a\r\n\(fields)\r\n"
}

/// A POST of `/p` with so many fields and what follows the head.
func post(_ fields: String, _ body: String) -> String {
  "POST /p HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
}

/// A POST with these chunks.
func chunked(_ chunks: String) -> String { post("Transfer-Encoding: chunked", chunks) }

/// Feeds the parts one after another, as they come from a socket.
func outcome(of parts: [[UInt8]], bodyLimit: Int = 1_000) -> RawRequest.Outcome {
  var parser = RequestParser()
  var whole: [String] = []
  var current: String?
  for part in parts {
    parser.receive(part)
    reading: while true {
      switch parser.next() {
      case .needMore: break reading
      case .head(let head):
        parser.bodyLimit = bodyLimit
        let name = "\(head.method.rawValue) \(head.path)"
        if head.hasBody { current = name } else { whole.append(name) }
      case .expectation: break
      case .body(let body):
        whole.append(
          [current ?? "", String(decoding: body, as: UTF8.self)].joined(separator: body.isEmpty ? "" : " "))
        current = nil
      case .refuse(let refusal): return .refused(refusal, after: whole)
      }
    }
  }
  return current == nil && !whole.isEmpty ? .read(whole) : .unfinished
}

/// SplitMix64: the same seed gives the same run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
