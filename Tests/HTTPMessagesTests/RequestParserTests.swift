import HTTPMessages
import Testing

@Suite struct RequestParserTests {
  static let all = RawRequest.requestLines + RawRequest.fields + RawRequest.framing + RawRequest.chunks

  @Test(arguments: all)
  func `a request is read or refused`(request: RawRequest) {
    #expect(outcome(of: [request.bytes]) == request.outcome)
  }

  @Test(arguments: all)
  func `it is the same when each byte comes alone`(request: RawRequest) {
    #expect(outcome(of: request.bytes.map { [$0] }) == request.outcome)
  }

  @Test(arguments: all)
  func `it is the same wherever it is cut`(request: RawRequest) {
    var random = SeededGenerator(state: UInt64(request.bytes.count))
    for _ in 0..<50 {
      var parts: [[UInt8]] = []
      var rest = request.bytes[...]
      while !rest.isEmpty {
        let size = Int.random(in: 1...max(1, request.bytes.count / 3), using: &random)
        parts.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(outcome(of: parts) == request.outcome)
    }
  }

  @Test(arguments: all)
  func `nothing is read behind a refusal`(request: RawRequest) {
    guard case .refused = request.outcome else { return }
    #expect(outcome(of: [request.bytes, Array(get(target: "/smuggled").utf8)]) == request.outcome)
  }

  @Test(arguments: all)
  func `a request before it does not change it`(request: RawRequest) {
    let found = outcome(of: [Array(get(target: "/first").utf8) + request.bytes])
    switch request.outcome {
    case .read(let requests): #expect(found == .read(["GET /first"] + requests))
    case .refused(let refusal, _): #expect(found == .refused(refusal, after: ["GET /first"]))
    case .unfinished: #expect(found == .unfinished || found == .read(["GET /first"]))
    }
  }

  @Test func `requests that come at once are given one by one`() {
    let requests = (1...9).map { post("Content-Length: 1", "\($0)") }.joined()
    #expect(outcome(of: [Array(requests.utf8)]) == .read((1...9).map { "POST /p \($0)" }))
  }

  @Test func `the body's limit is set when the head is known`() {
    var parser = RequestParser()
    parser.receive(Array(post("Content-Length: 5", "hello").utf8))
    guard case .head = parser.next() else {
      Issue.record("no head")
      return
    }
    guard case .refuse(.bodyTooLarge) = parser.next() else {
      Issue.record("a body without a limit is none")
      return
    }
  }

  @Test(arguments: 0..<64)
  func `random bytes are read to their end`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0..<600, using: &random)
      _ = outcome(of: [(0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }])
    }
  }

  /// Nearer to requests than random bytes are.
  @Test(arguments: 0..<64)
  func `requests with changed bytes are read alike, cut or not`(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let alphabet = Array("\r\n\t :;,0123456789aAfFxchunkedGETHost/%.".utf8) + [0, 0x7F, 0xC3]
    for _ in 0..<60 {
      var bytes = try #require(Self.all.filter { $0.bytes.count < 500 }.randomElement(using: &random)).bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = try #require(alphabet.randomElement(using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        default: bytes.remove(at: place)
        }
      }
      #expect(outcome(of: [bytes]) == outcome(of: bytes.map { [$0] }))
    }
  }
}
