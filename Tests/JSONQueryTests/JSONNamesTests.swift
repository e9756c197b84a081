import JSONQuery
import Testing

struct JSONNamesTests {
  @Test func `names of members have places, repeated ones too`() throws {
    let value = try parse(#" {"a":{"x":1}, "b\u0063" : [2], "a":3}"#)
    #expect(value.memberNames.map(\.string) == ["a", "bc", "a"])
    #expect(value.memberNames.map(\.offset) == [2, 15, 32])
    #expect(try parse("[1]").memberNames.map(\.offset) == [])
  }
}
