import JSONQuery
import Testing

/// What a document must hold.
struct RequirementTests {
  private let text =
    #"{"id":7,"big":12345678901234567890,"half":0.5,"name":"Ann","on":true,"none":null,"list":[{"n":1},{"n":2.0},{"n":"x"}],"a:b":1,"one":[{"n":1}]}"#

  private func mismatch(_ requirement: String) throws -> String? {
    do {
      try JSONRequirement(requirement).check(parse(text))
      return nil
    } catch let failure as JSONFindingError {
      return failure.message
    }
  }

  @Test(arguments: [
    ":object", "/id:integer", "/id:number", "/big:integer", "/half:number", "/name:string", "/on:boolean",
    "/none:null",
    "/none:any", "/list:array", "/list/0:object", "/list/2/n:string", "/name:string|null",
    "/none:string|null",
    "/absent:string?", "/list/9:any?", "/name/x:any?", "/name:string?", "/a:b:integer", "$:object",
    "$.id:integer",
    "$.list[*].n:any", "$.list[*].n:integer|string", "$.one[*].n:integer", "$.absent:string?", "$..zzz:any?",
    "$.list[?@.n == 'x']:object", "#/id:integer", "$['a:b']:number",
  ])
  func `a document that is as it must be passes`(requirement: String) throws {
    #expect(try mismatch(requirement) == nil)
  }

  @Test(arguments: [
    ("/id:string", "expected string at /id, found the number 7"),
    ("/half:integer", "expected integer at /half, found the number 0.5"),
    ("/name:integer|null", "expected integer or null at /name, found the string \"Ann\""),
    ("/on:number", "expected number at /on, found true"),
    ("/none:object", "expected object at /none, found null"),
    ("/none:string?", "expected string at /none, found null"),
    ("/list:object", "expected object at /list, found an array"),
    (":array", "expected array at the root, found an object"),
    ("/absent:any", "expected any, and there is none: the document has no member 'absent'"),
    ("/list/3:any", "expected any, and there is none: /list has no element 3, only 3"),
    ("$.list[*].n:integer", "expected integer at /list/2/n, found the string \"x\""),
    ("$.list[*].n:integer?", "expected integer at /list/2/n, found the string \"x\""),
    ("$.absent:any", "expected any, and there is none: the query finds nothing"),
    ("$.list[?@.n > 5]:any", "expected any, and there is none: the query finds nothing"),
  ])
  func `the first thing that is not as it must be is named`(requirement: String, message: String) throws {
    #expect(try mismatch(requirement) == message)
  }

  @Test(arguments: [
    ("0", true), ("-0.0", true), ("1.0", true), ("1e2", true), ("70e-1", true), ("1.50e1", true),
    ("100", true),
    ("1e99999999999999999999", true), ("1.5", false), ("1e-1", false), ("15e-1", false), ("0.5e0", false),
    ("1.0000000000000000000000001", false), ("12.30e1", true), ("12.34e1", false), ("-0.001e3", true),
    ("0.1e0", false),
  ])
  func `an integer is known by its value`(number: String, isInteger: Bool) throws {
    let requirement = try JSONRequirement(":integer")
    #expect(((try? requirement.check(parse(number))) != nil) == isInteger)
  }

  @Test(arguments: [
    ("/id", "'/id' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    ("", "'' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    ("/id:int", "'/id:int' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    ("/id:", "'/id:' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    ("/id:string|", "'/id:string|' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    ("/id:string??", "'/id:string??' does not end in a type: write PATH:TYPE, where TYPE is \(Self.types)"),
    (
      "id:string",
      "'id' is neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
    ), ("$.[:any", "'$.[' is not a JSONPath query: expected a member name or '*' at byte 2"),
  ])
  func `what is no requirement says what it lacks`(requirement: String, message: String) {
    let error = #expect(throws: JSONRequirementError.self) { try JSONRequirement(requirement) }
    #expect(error?.message == message)
  }

  private static let types = "object, array, string, number, integer, boolean, null or any"

  @Test func `long values are not shown`() throws {
    let long = try parse("\"\(String(repeating: "x", count: 61))\"")
    let error = #expect(throws: JSONFindingError.self) {
      try JSONRequirement(":null").check(long)
    }
    #expect(error?.message == "expected null at the root, found a string")
  }
}
