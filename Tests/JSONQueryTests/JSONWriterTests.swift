import JSONQuery
import Testing

struct JSONWriterTests {
  @Test func `commas stand where they belong`() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.int(-1)
    writer.key("b")
    writer.beginArray()
    writer.bool(true)
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.raw("1.50".utf8)
    writer.value(try parse(#"{ "x": [ 1e5 ] }"#))
    writer.endArray()
    writer.key("c")
    writer.string("d")
    writer.endObject()
    writer.endLine()
    writer.int(UInt64.max)
    writer.endLine()
    let expected = #"{"a":-1,"b":[true,null,{},[],1.50,{"x":[1e5]}],"c":"d"}"# + "\n18446744073709551615\n"
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test func `a whole number is written as its description`() {
    let numbers: [any BinaryInteger] = [
      0, 7, 10, 99, 100, -1, -10, Int8.min, Int64.min, Int64.max, UInt64.max, UInt64.max - 9, Int128.min,
      UInt128.max, 1_795_848_964_683,
    ]
    for number in numbers {
      var writer = JSONWriter()
      writer.int(number)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(number)")
    }
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("a\"b", #""a\"b""#), ("\\", #""\\""#), ("/", #""/""#),
    ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1}\u{1F}", #""\u0000\u0001\u001f""#),
    ("\u{7F}", "\"\u{7F}\""),
    ("é日😀\u{2028}\u{2029}", "\"é日😀\u{2028}\u{2029}\""), ("x\"\"y\"", #""x\"\"y\"""#),
    ("日\n本\n", #""日\n本\n""#),
  ])
  func `a string is escaped as little as possible`(text: String, expected: String) {
    var writer = JSONWriter()
    writer.string(text)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test func `what is written as a name or a string reads back the same`() throws {
    for value in UInt32(0)...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)b\(scalar)"
      var writer = JSONWriter(reservingCapacity: 64)
      writer.beginObject()
      writer.key(text)
      writer.string(text)
      writer.endObject()
      let root = try JSONDocument(parsing: writer.bytes).root
      #expect(root[text]?.string == text)
    }
  }
}
