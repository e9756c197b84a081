import JSONQuery
import Testing

struct AcceptanceTests {
  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "1.0", "-0.0", "0.1", "1e1", "1E1", "1e+1", "1e-1", "0e0", "0e+1", "1.5e300",
    "123456789012345678901234567890", "1e999999", "-1.5E-07", "[0]", "[1,2]", "[-0,0.0e0]",
  ])
  func `a number of the grammar is accepted`(text: String) {
    #expect(refusal(of: text) == nil)
  }

  @Test(arguments: [
    #""""#, #""a""#, #""é 日本語 😀""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#,
    #""\ud83d\uDE00""#, #""\uFFFF\ufdd0""#, "\"\u{7F}\"", "\"\u{2028}\u{2029}\u{FEFF}\"", #""[{,:}]""#,
    #"{"":0}"#, #"{"\u0061":1}"#,
  ])
  func `a string of the grammar is accepted`(text: String) {
    #expect(refusal(of: text) == nil)
  }

  @Test(arguments: [
    "null", "true", "false", "[]", "{}", "[[]]", "[{}]", "{\"a\":{}}", "[null,true,false]", " [ ] ",
    "\t\n\r {\t\"a\"\r:\n1 , \"b\" : [ 1 , 2 ] } \n", "\u{FEFF}[1]", "\u{FEFF} 1", "{\"a\":1,\"a\":2}",
  ])
  func `a structure of the grammar is accepted`(text: String) {
    #expect(refusal(of: text) == nil)
  }

  @Test func `every Unicode scalar value passes through a string`() throws {
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), value % 97 == 0 || value < 0x900 else { continue }
      guard scalar != "\"", scalar != "\\" else { continue }
      #expect(try parse("\"\(scalar)\"").string?.unicodeScalars.elementsEqual([scalar]) == true)
    }
  }

  @Test func `512 levels are accepted and 513 are not`() {
    #expect(refusal(of: nested(512)) == nil)
    #expect(refusal(of: nested(513)) == JSONError(.tooDeep, at: 512))
    #expect(refusal(of: String(repeating: "[", count: 1_000_000))?.reason == .tooDeep)
    #expect(refusal(of: String(repeating: "{\"a\":", count: 1_000_000))?.reason == .tooDeep)
  }

  @Test func `a document may hold as many values as its limit allows`() {
    #expect(refusal(of: "[1,2,3]", limits: JSONLimits(values: 4)) == nil)
    #expect(refusal(of: "[1,2,3]", limits: JSONLimits(values: 3)) == JSONError(.tooManyValues, at: 5))
    #expect(refusal(of: "1", limits: JSONLimits(values: -1))?.reason == .tooManyValues)
  }

  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }
}
