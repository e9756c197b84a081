import JSONQuery
import Testing

/// Random queries of random documents, against an evaluator that does what the standard's sentences say and no more.
struct PathPropertyTests {
  @Test func `random queries find what the plain evaluator finds`() throws {
    var random = SplitMix(state: 0xF00D)
    var found = 0
    for round in 0..<20_000 {
      let document = PlainJSON.random(using: &random)
      let query = PlainQuery.random(using: &random)
      let text = query.text(isRelative: false, using: &random)
      let expected = query.select(from: [PlainNode(document)], root: document).map(\.pointer)
      let actual = try JSONPath(text).select(in: parse(document.text)).map(\.pointer.text)
      found += expected.count
      guard actual == expected else {
        Issue.record("round \(round): \(text) of \(document.text) found \(actual), not \(expected)")
        return
      }
    }
    #expect(found > 20_000)
  }
}
