import TOML
import Testing

struct Document: CustomTestStringConvertible, Sendable {
  var text: String
  var expected: String

  init(_ text: String, _ expected: String) { (self.text, self.expected) = (text, expected) }

  var testDescription: String { text.debugDescription }
}

@Suite struct TOMLTests {
  @Test(arguments: [
    // Keys and comments of the specification.
    Document("", "{}"),
    Document("# This is a full-line comment\nkey = \"value\"  # the end of a line\n", #"{key="value"}"#),
    Document("another = \"# This is not a comment\"", ##"{another="# This is not a comment"}"##),
    Document("bare-key = 1\nbare_key = 2\n1234 = 3", "{bare-key=1,bare_key=2,1234=3}"),
    Document(
      #""127.0.0.1" = 1"# + "\n" + #""ʎǝʞ" = 2"# + "\n'quoted \"value\"' = 3",
      "{127.0.0.1=1,ʎǝʞ=2,quoted \"value\"=3}"),
    Document(#""" = "blank""#, #"{="blank"}"#),
    Document(
      "physical.color = \"orange\"\nphysical.shape = \"round\"\nsite.\"google.com\" = true",
      #"{physical={color="orange",shape="round"},site={google.com=true}}"#),
    Document("fruit . flavor = 1", "{fruit={flavor=1}}"),
    Document("3.14159 = \"pi\"", #"{3={14159="pi"}}"#),
    Document("fruit.apple.smooth = true\nfruit.orange = 2", "{fruit={apple={smooth=true},orange=2}}"),
    Document("\u{FEFF}a = 1\r\nb = 2\r\n", "{a=1,b=2}"),
    // Strings.
    Document(
      #"str = "I'm a string. \"You can quote me\". Name\tJos\u00E9\nLocation\tSF.""#,
      #"{str="I\'m a string. \"You can quote me\". Name\tJosé\nLocation\tSF."}"#),
    Document("a = \"\"\"\nRoses are red\nViolets are blue\"\"\"", #"{a="Roses are red\nViolets are blue"}"#),
    Document(
      "a = \"\"\"\nThe quick brown \\\n\n\n  fox jumps \\\n    over.\"\"\"",
      #"{a="The quick brown fox jumps over."}"#),
    Document("a = \"\"\"\\\n       The quick.\\\n       \"\"\"", #"{a="The quick."}"#),
    Document(
      #"a = """Here are two quotation marks: "". Simple enough.""""#,
      #"{a="Here are two quotation marks: \"\". Simple enough."}"#),
    Document(
      #"a = """"This," she said, "is just a pointless statement."""""#,
      #"{a="\"This,\" she said, \"is just a pointless statement.\""}"#),
    Document(#"a = 'C:\Users\nodejs'"#, #"{a="C:\\Users\\nodejs"}"#),
    Document(
      "a = '''\nThe first newline is\ntrimmed in raw strings.\n'''",
      #"{a="The first newline is\ntrimmed in raw strings.\n"}"#),
    Document(
      "a = ''''That,' she said, 'is still pointless.''''",
      #"{a="\'That,\' she said, \'is still pointless.\'"}"#),
    Document(#"a = "\U0001F6A2""#, #"{a="🚢"}"#),
    Document("a = \"\"\nb = ''", #"{a="",b=""}"#),
    // Numbers and booleans.
    Document("a = +99\nb = 42\nc = 0\nd = -17\ne = +0\nf = -0", "{a=99,b=42,c=0,d=-17,e=0,f=0}"),
    Document("a = 1_000\nb = 5_349_221\nc = 1_2_3_4_5", "{a=1000,b=5349221,c=12345}"),
    Document(
      "a = 9223372036854775807\nb = -9223372036854775808", "{a=9223372036854775807,b=-9223372036854775808}"),
    Document(
      "a = +1.0\nb = 3.1415\nc = -0.01\nd = 5e+22\ne = 1e06\nf = -2E-2\ng = 6.626e-34",
      "{a=f1.0,b=f3.1415,c=f-0.01,d=f5e+22,e=f1000000.0,f=f-0.02,g=f6.626e-34}"),
    Document("a = 224_617.445_991_228", "{a=f224617.445991228}"),
    Document("a = true\nb = false", "{a=true,b=false}"),
    // Arrays and tables.
    Document(
      "a = [ 1, 2, 3 ]\nb = [ [ 1, 2 ], [\"a\", \"b\"] ]\nc = []", #"{a=[1,2,3],b=[[1,2],["a","b"]],c=[]}"#),
    Document("a = [\n  1,\n  2, # this is ok\n]", "{a=[1,2]}"),
    Document("[table-1]\nkey1 = 1\n[table-2]\nkey1 = 2", "{table-1={key1=1},table-2={key1=2}}"),
    Document("[dog.\"tater.man\"]\ntype.name = \"pug\"", #"{dog={tater.man={type={name="pug"}}}}"#),
    Document("[ g .  h  . 'l' ]", "{g={h={l={}}}}"),
    Document("[x.y.z.w]\n[x]\nk = 1", "{x={y={z={w={}}},k=1}}"),
    Document(
      "[fruit]\napple.color = 1\n[fruit.apple.texture]\nsmooth = true",
      "{fruit={apple={color=1,texture={smooth=true}}}}"),
    Document(
      "name = { first = \"Tom\", last.x = 1 }\nempty = {}", #"{name={first="Tom",last={x=1}},empty={}}"#),
    Document("points = [ { x = 1 }, { y = 2 } ]", "{points=[{x=1},{y=2}]}"),
  ])
  func `documents are read as the specification says`(document: Document) throws {
    #expect(described(try TOMLTable(parsing: Array(document.text.utf8))) == document.expected)
  }

  @Test(arguments: [
    Document("key =", "1:6 expected a value"),
    Document("= 1", "1:1 expected a key"),
    Document("a = 1 b = 2", "1:7 expected the end of the line"),
    Document("a\n", "1:2 expected '='"),
    Document("name = 1\n\nname = 2", "3:1 'name' is there already, in line 1"),
    Document("spelling = 1\n\"spelling\" = 2", "2:1 'spelling' is there already, in line 1"),
    Document("fruit.apple = 1\nfruit.apple.smooth = true", "2:7 'apple' is there already, in line 1"),
    Document("[fruit]\na = 1\n[fruit]", "3:2 'fruit' is there already, in line 1"),
    Document("[fruit]\napple = 1\n[fruit.apple]", "3:8 'apple' is there already, in line 2"),
    Document("[fruit]\napple.color = 1\n[fruit.apple]", "3:8 'apple' is there already, in line 2"),
    Document("[a.b.c]\nz = 9\n[a]\nb.c.t = 1", "4:1 'b' is there already, in line 1"),
    Document("type = { name = 1 }\ntype.edible = false", "2:1 'type' is there already, in line 1"),
    Document("type = { name = 1 }\n[type.more]", "2:2 'type' is there already, in line 1"),
    Document("a = \"x\nb = 2", "1:5 the string has no end"),
    Document("a = '''x\n", "1:5 the string has no end"),
    Document("é = 1", "1:1 expected a key"),
    Document("\"é\" = \"\\q\"", "1:8 an unknown escape"),
    Document(#"a = "\uD800""#, "1:6 no character of Unicode"),
    Document(#"a = "\u12""#, "1:6 expected 4 hexadecimal digits"),
    Document("a = \"\u{1}\"", "1:6 a control character in a string"),
    Document("# \u{7F}", "1:3 a control character in a comment"),
    Document("a = 1\r", "1:6 expected the end of the line"),
    Document("\"\"\"a\"\"\" = 1", "1:1 a key of several lines"),
    Document("a = 007", "1:5 '007' is neither a number nor true or false"),
    Document("a = 1__0", "1:5 '1__0' is neither a number nor true or false"),
    Document("a = _1", "1:5 '_1' is neither a number nor true or false"),
    Document("a = 0x1F", "1:5 '0x1F' is neither a number nor true or false"),
    Document("a = inf", "1:5 'inf' is neither a number nor true or false; a text stands in quotes"),
    Document("a = -nan", "1:5 '-nan' is neither a number nor true or false"),
    Document("a = .7", "1:5 '.7' is neither a number nor true or false"),
    Document("a = 7.", "1:5 '7.' is neither a number nor true or false"),
    Document("a = 3.e+20", "1:5 '3.e+20' is neither a number nor true or false"),
    Document("a = 1e999", "1:5 '1e999' is neither a number nor true or false"),
    Document("a = 9223372036854775808", "1:5 '9223372036854775808' is neither a number nor true or false"),
    Document("a = True", "1:5 'True' is neither a number nor true or false; a text stands in quotes"),
    Document("a = 07:32:00", "1:5 '07:32:00' is neither a number nor true or false"),
    Document("a = [1, 2", "1:10 expected ',' or ']'"),
    Document("a = [1,", "1:5 the array has no end"),
    Document("a = [1,,2]", "1:8 expected a value"),
    Document("a = {b = 1,}", "1:12 expected a key"),
    Document("a = {b = 1\n}", "1:11 expected ',' or '}'"),
    Document("[a", "1:3 expected ']'"),
    Document("b = 1\n[[a]]", "2:1 no setting takes an array of tables; write [NAME]"),
    Document("[]", "1:2 expected a key"),
    Document("[a] b = 1", "1:5 expected the end of the line"),
  ])
  func `what is not TOML is refused with its place`(document: Document) {
    let error = #expect(throws: TOMLError.self) { try TOMLTable(parsing: Array(document.text.utf8)) }
    #expect(error.map { "\($0.position.line):\($0.position.column) \($0.message)" } == document.expected)
  }

  @Test func `bytes that are not UTF-8 are refused with their place`() {
    let error = #expect(throws: TOMLError.self) {
      try TOMLTable(parsing: Array("a = 1\n# é".utf8) + [0xFF])
    }
    #expect(error?.position == TOMLPosition(line: 2, column: 4))
  }

  @Test(arguments: ["[", "{a=", "[{a="])
  func `values that stand in each other without end are refused`(opening: String) {
    let text = "a = " + String(repeating: opening, count: 100_000)
    let error = #expect(throws: TOMLError.self) { try TOMLTable(parsing: Array(text.utf8)) }
    #expect(error?.message == "values stand in each other too deeply")
  }

  @Test func `a key of a hundred thousand parts is refused`() {
    let text = String(repeating: "a.", count: 100_000) + "a = 1"
    let error = #expect(throws: TOMLError.self) { try TOMLTable(parsing: Array(text.utf8)) }
    #expect(error?.message == "a key of too many parts")
  }

  @Test func `positions of values and keys are where they stand`() throws {
    let table = try TOMLTable(parsing: Array("['é']\nab = 'x'\ncd = ['é', 7]".utf8))
    guard case .table(let inner) = table["é"]?.content, case .array(let values) = inner["cd"]?.content else {
      Issue.record("it is read otherwise")
      return
    }
    #expect(
      inner.members.map(\.position) == [TOMLPosition(line: 2, column: 1), TOMLPosition(line: 3, column: 1)])
    #expect(values.map(\.position) == [TOMLPosition(line: 3, column: 7), TOMLPosition(line: 3, column: 12)])
  }

  /// What is read does not depend on chance, and no input makes the reader trap.
  @Test func `a document whose bytes are changed is read or refused`() {
    let text = Array("a.b = [1, {c = \"\\u00e9\"}]\n[x.y]\nz = '''\nq''' # é\n[x.w]\nv = 1_0.5e-3\n".utf8)
    let bytes: [UInt8] = Array("\"'[]{}=.,#\n\\ a0_-\u{0}".utf8) + [0xFF, 0x80]
    for place in text.indices {
      for byte in bytes {
        var changed = text
        changed[place] = byte
        _ = try? TOMLTable(parsing: changed)
        changed.insert(byte, at: place)
        _ = try? TOMLTable(parsing: Array(changed[..<(place + 1)]))
      }
    }
  }
}
