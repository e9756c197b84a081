import JSONQuery
import Testing

/// What a hostile document or a careless query may cost.
@Suite(.timeLimit(.minutes(10)))
struct PathLimitTests {
  @Test func `a query finds as many values as its limit allows`() throws {
    let limits = JSONPathLimits(nodes: 4)
    #expect(try found("$[*]", in: "[1,2,3,4]", limits: limits) == "1 2 3 4")
    #expect(throws: JSONPathFailure.tooManyNodes(limit: 4)) {
      try found("$[*]", in: "[1,2,3,4,5]", limits: limits)
    }
    #expect(throws: JSONPathFailure.tooManyNodes(limit: 4)) {
      try found("$[*]['a','a']", in: #"[{"a":1},{"a":1},{"a":1}]"#, limits: limits)
    }
    #expect(throws: JSONPathFailure.tooManyNodes(limit: 4)) {
      try found("$[?count($..*) > 0]", in: "[[1,2,3,4]]", limits: limits)
    }
  }

  @Test func `every step is counted`() throws {
    #expect(try found("$[*]", in: "[1,2,3]", limits: JSONPathLimits(steps: 4)) == "1 2 3")
    #expect(throws: JSONPathFailure.tooManySteps(limit: 3)) {
      try found("$[*]", in: "[1,2,3]", limits: JSONPathLimits(steps: 3))
    }
  }

  @Test(arguments: [
    "$..*..*..*..*", "$..[*,*]..[*,*]..[*,*]", "$..[?$..*]", "$..[?count($..*) > 1]",
    "$..[?$.n[0] == $.n[1]]",
    "$..[?$.o == @]..[?$.p == $.o]", "$..[?match($.s, '(a|b)*c')]",
    "$..[?search($.s, $.r)]", "$..[?length($.s) == length($.e)]", "$..[?$.big < $.bigger]",
    "$..[?$.e != $.s]", "$..[?$.l[-1] == $.l[99999]]", "$..[?length($.o) == 1]", "$..[?value($..x) == 1]",
    "$..[?$.keys['abc']]", "$..[?@ < $.s && $.s < $.t]", "$.l[?$.l[:] && $.l[::-1]]",
  ])
  func `what would take for ever is given up`(query: String) throws {
    let found = #expect(throws: JSONPathFailure.self) {
      try JSONPath(query).select(in: Self.hostile.get(), limits: JSONPathLimits(steps: 10_000_000))
    }
    switch found {
    case .tooManySteps, .tooManyNodes: break
    case .patternTooLarge, nil: Issue.record("\(query) ended otherwise")
    }
  }

  /// Each has few values, and what costs is as long as their text.
  @Test(arguments: [
    ("$[?@ == 1.\(zeros)]", "1"), ("$[?'\(zeros)' == '\(zeros)']", "1"), ("$[?search('\(zeros)', '1')]", "1"),
    ("$[?$[0]['\(zeros)1']]", "{\"\(zeros)0\":1,\"\(zeros)2\":1}"),
  ])
  func `long texts count by their length`(query: String, element: String) throws {
    let document = "[" + ([element] + Array(repeating: "1", count: 999)).joined(separator: ",") + "]"
    #expect(throws: JSONPathFailure.tooManySteps(limit: 100_000)) {
      try found(query, in: document, limits: JSONPathLimits(steps: 100_000))
    }
  }

  private static let zeros = String(repeating: "0", count: 4_000)

  @Test func `a class of many ranges is halved, not walked through`() throws {
    let odd = (0..<15_000).map { String(Unicode.Scalar(0x4E00 + $0 * 2)!) }.joined()
    let text = String(repeating: "b", count: 500_000)
    #expect(
      try found("$[?match(@, '[\(odd)b]*')]", in: "[\"\(text)\"]", limits: JSONPathLimits()) == "\"\(text)\"")
    #expect(try found("$[?match(@, '[\(odd)]*')]", in: "[\"\(text)\"]", limits: JSONPathLimits()) == "")
  }

  @Test func `depth costs no stack`() throws {
    let deep = String(repeating: #"[{"a":"#, count: 256) + "1" + String(repeating: "}]", count: 256)
    let root = try parse("[\(deep),\(deep)]", limits: JSONLimits(depth: 600))
    #expect(try JSONPath("$[?@ == $[1]]").select(in: root).count == 2)
    #expect(try JSONPath("$..a").select(in: root).count == 512)
    let query = "$" + String(repeating: "[?@.a", count: 64) + String(repeating: "]", count: 64)
    #expect(try JSONPath(query).select(in: root).isEmpty)
  }

  @Test func `a failure says what to do`() {
    #expect(JSONPathFailure.tooManyNodes(limit: 5).message == "it finds more than 5 values; ask for fewer")
    #expect(
      JSONPathFailure.tooManySteps(limit: 5).message.hasPrefix("it takes more than 5 steps; ask for less"))
  }

  private static let hostile = Result {
    let text = String(repeating: "ab", count: 100_000)
    let digits = String(repeating: "7", count: 100_000)
    let list = (0..<100_000).map(String.init).joined(separator: ",")
    let members = (0..<20_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let nested = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let keys = #"{"\u0061\#(text)":1}"#
    return try parse(
      """
      {"s":"\(text)","t":"\(text)c","e":"\\n\(text)","r":"(a|b)*c","big":\(digits),"bigger":\(digits).5,"l":[\(list)],"o":{\(members)},"p":{\(members)},
       "n":[[\(list)],[\(list)]],"d":\(nested),"keys":\(keys),"x":1}
      """)
  }
}
