import JSONQuery
import Testing

/// What a hostile document or a careless query may cost.
@Suite(.timeLimit(.minutes(1)))
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
