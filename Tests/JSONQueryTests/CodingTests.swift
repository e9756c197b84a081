import JSONQuery
import Testing

/// Values as JSON, and back.
struct CodingTests {
  private struct Empty: Codable, Hashable {}

  private enum Shape: Codable, Hashable {
    case none
    case circle(radius: Int)
    case text(String)
  }

  private struct Sample: Codable, Hashable {
    var zone = "b\u{E9}\n\""
    var count: UInt64 = .max
    var least: Int64 = .min
    var flag = true
    var missing: Int?
    var names = ["x", ""]
    var gaps: [Int?] = [1, nil]
    var shapes: [Shape] = [.none, .circle(radius: 3), .text("t")]
    var inner = Empty()
    var raw = RawJSON(Array(#"{"b":1.50,"a":[]}"#.utf8))
    var last: [[Int]] = [[], [1, 2]]
  }

  private class Base: Codable {
    var one = 1
  }

  private final class Derived: Base {
    var two = 2

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      two = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .two)
      try super.init(from: try decoder.container(keyedBy: Key.self).superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(two, forKey: .two)
      try super.encode(to: container.superEncoder())
    }

    private enum Key: CodingKey { case two }
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONWriter.json(of: value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONDocument(parsing: Array(json.utf8)).root.decoded()
  }

  @Test func `members stand as they are declared, and what is nil is left out`() throws {
    let wanted =
      #"{"zone":"bé\n\"","count":18446744073709551615,"least":-9223372036854775808,"flag":true,"names":["x",""],"#
      + #""gaps":[1,null],"shapes":[{"none":{}},{"circle":{"radius":3}},{"text":{"_0":"t"}}],"inner":{},"#
      + #""raw":{"b":1.50,"a":[]},"last":[[],[1,2]]}"#
    #expect(try text(Sample()) == wanted)
    #expect(try read(wanted) == Sample())
  }

  @Test func `plain values stand alone, and nothing is null`() throws {
    #expect(try text(7) == "7" && text("a") == #""a""# && text(false) == "false")
    #expect(try text(nil as Int?) == "null" && text(RawJSON([0x5B, 0x5D])) == "[]")
    #expect(try read("null", as: Int?.self) == nil && read("7", as: Int?.self) == 7)
    #expect(try read(" [1, 2] ", as: RawJSON.self).bytes == Array("[1, 2]".utf8))
    #expect(try text(Empty()) == "{}" && read("{}") == Empty())
  }

  private struct Head: Codable, Hashable {
    var firstName = "a"
    var mayBe: Int?
  }

  private struct Other: Encodable {
    var other = true
  }

  private struct Report: Encodable {
    @Flat var head = Head()
    @Flat var nothing: Empty?
    @Flat var maybe: Other? = Other()
    @OrNull var open: Int? = nil
    @OrNull var settledMs: Int? = 7
    @UnlessEmpty var gone: [Int] = []
    @UnlessEmpty var here: [Head] = [Head()]
    var states = Members([("lastMinute", 2), ("", 1)])
  }

  @Test func `names are written with underscores, and members may be flat, null or left out`() throws {
    #expect(
      try text(Report())
        == #"{"first_name":"a","other":true,"open":null,"settled_ms":7,"here":[{"first_name":"a"}],"states":{"lastMinute":2,"":1}}"#
    )
    #expect(try read(#"{"may_be":3,"first_name":"b"}"#) == Head(firstName: "b", mayBe: 3))
  }

  @Test func `a class keeps what its superclass has`() throws {
    let derived = Derived()
    (derived.one, derived.two) = (5, 6)
    #expect(try text(derived) == #"{"two":6,"super":{"one":5}}"#)
    let again = try read(text(derived), as: Derived.self)
    #expect(again.one == 5 && again.two == 6)
  }

  @Test func `a member that is not known is passed over, and of several the last counts`() throws {
    struct Pair: Decodable {
      var a: Int
      var b: String?
    }
    let pair = try read(#"{"a":1,"new":{"x":[]},"a":2,"b":null}"#, as: Pair.self)
    #expect(pair.a == 2 && pair.b == nil)
  }

  @Test(arguments: [
    #"{"a":256}"#, #"{"a":-1}"#, #"{"a":1.5}"#, #"{"a":1e1}"#, #"{"a":"1"}"#, #"{"a":null}"#, "{}", "[]", "1",
  ])
  func `what does not fit is an error`(json: String) {
    struct Byte: Decodable { var a: UInt8 }
    #expect(throws: DecodingError.self) { try read(json, as: Byte.self) }
  }

  @Test func `an array that is too short is an error, and so is an enumeration of two cases`() {
    struct Pair: Decodable {
      var (first, second) = (0, 0)

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        (first, second) = (try values.decode(Int.self), try values.decode(Int.self))
      }
    }
    #expect(throws: DecodingError.self) { try read("[1]", as: Pair.self) }
    #expect(throws: DecodingError.self) { try read(#"{"none":{},"text":{"_0":""}}"#, as: Shape.self) }
  }

  @Test func `a fraction is refused`() {
    #expect(throws: EncodingError.self) { try text([1.5]) }
    #expect(throws: DecodingError.self) { try read("1.5", as: Double.self) }
  }
}
