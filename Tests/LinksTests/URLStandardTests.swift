import Links
import Testing

struct `The URL standard` {
  private static let base = "http://base.example:81/a/b?c#d"

  @Test(
    arguments: [
      ("\u{0}\u{1F} http://h/ \u{1F}", nil, "http://h/"),
      ("\t\nhttp://h/\r", nil, "http://h/"),
      ("h\tt\nt\rp://h/", nil, "http://h/"),
      ("http:/\t/h/", nil, "http://h/"),
      ("http://h\n.example/", nil, "http://h.example/"),
      ("http://h:8\n1/", nil, "http://h:81/"),
      ("http://u\t@h/", nil, "http://h/"),
      ("http://h/a\tb\nc\rd", nil, "http://h/abcd"),
      ("http://h/?a\tb#c\nd", nil, "http://h/?ab#cd"),
      ("http://h/.\t./x", nil, "http://h/x"),
      ("http://h/a%\n41", nil, "http://h/a%41"),
      ("http://h/ x ", nil, "http://h/%20x"),
      ("http://h/? x ", nil, "http://h/?%20x"),
      ("http://h/# x ", nil, "http://h/#%20x"),
      ("http://h/\u{1}\u{7F}", nil, "http://h/%01%7F"),
      ("http://h/?\u{1}\u{7F}", nil, "http://h/?%01%7F"),
      ("http://h/#\u{0}\u{7F}", nil, "http://h/#%00%7F"),
      ("\u{B}x", base, "http://base.example:81/a/x"),
      ("x\u{B}", base, "http://base.example:81/a/x"),
      (" /x y", base, "http://base.example:81/x%20y"),
      ("\u{A0}x", base, "http://base.example:81/a/%C2%A0x"),
      ("\u{3000}", base, "http://base.example:81/a/%E3%80%80"),
      ("\u{FEFF}http://h/", base, "http://base.example:81/a/%EF%BB%BFhttp://h/"),
    ] as [(String, String?, String)])
  func `trims and drops white space and control characters`(input: String, base: String?, href: String) throws
  {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("http:h", nil, "http://h/"),
      ("http:/h", nil, "http://h/"),
      ("http:///h", nil, "http://h/"),
      ("http:\\h", nil, "http://h/"),
      ("http:\\/\\h\\x", nil, "http://h/x"),
      ("http://h\\x\\..\\y", nil, "http://h/y"),
      ("http://h?\\", nil, "http://h/?\\"),
      ("http://h#\\", nil, "http://h/#\\"),
      ("http://u\\@h/", nil, "http://u/@h/"),
      ("http:h", base, "http://base.example:81/a/h"),
      ("http:/h", base, "http://base.example:81/h"),
      ("http:\\h", base, "http://base.example:81/h"),
      ("http:\\\\h", base, "http://h/"),
      ("http:/\\h", base, "http://h/"),
      ("http:///h", base, "http://h/"),
      ("https:h", base, "https://h/"),
      ("https:/h", base, "https://h/"),
      ("https:///h", base, "https://h/"),
      ("HTTP:h?q", base, "http://base.example:81/a/h?q"),
      ("http:", base, "http://base.example:81/a/b?c"),
      ("http:#f", base, "http://base.example:81/a/b?c#f"),
      ("http:..", base, "http://base.example:81/"),
      ("/h", base, "http://base.example:81/h"),
      ("//h", base, "http://h/"),
      ("///h", base, "http://h/"),
      ("////h/x", base, "http://h/x"),
      ("/\\h", base, "http://h/"),
      ("\\/h", base, "http://h/"),
      ("\\\\\\h", base, "http://h/"),
      ("\\x", base, "http://base.example:81/x"),
      ("x\\y", base, "http://base.example:81/a/x/y"),
      ("x//y", base, "http://base.example:81/a/x//y"),
      ("/x//../y", base, "http://base.example:81/x/y"),
      ("//h\\x", base, "http://h/x"),
      ("/;//h", base, "http://base.example:81/;//h"),
    ] as [(String, String?, String)])
  func `takes backslashes for slashes, and too few or too many of them for two`(
    input: String, base: String?, href: String
  ) throws {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("http://u@h/", nil, "u", "http://h/"),
      ("http://u:p@h/", nil, "u:p", "http://h/"),
      ("http://u:@h/", nil, "u", "http://h/"),
      ("http://:p@h/", nil, ":p", "http://h/"),
      ("http://:@h/", nil, "", "http://h/"),
      ("http://@h/", nil, "", "http://h/"),
      ("http://@@h/", nil, "%40", "http://h/"),
      ("http://a@b@c/", nil, "a%40b", "http://c/"),
      ("http://a:b@c:d@e/", nil, "a:b%40c%3Ad", "http://e/"),
      ("http://a:b:c@d/", nil, "a:b%3Ac", "http://d/"),
      ("http://u%40:p%3A@h/", nil, "u%40:p%3A", "http://h/"),
      ("http://u p:\u{E9}@h/", nil, "u%20p:%C3%A9", "http://h/"),
      ("http://u\"#`:p@h/", nil, "", "http://u\"/#%60:p@h/"),
      ("http://a?b@h/", nil, "", "http://a/?b@h/"),
      ("http://a/b@h/", nil, "", "http://a/b@h/"),
      ("//u:p@h/", base, "u:p", "http://h/"),
      ("http:u:p@h", base, "", "http://base.example:81/a/u:p@h"),
      ("https:u:p@h", base, "u:p", "https://h/"),
    ] as [(String, String?, String, String)])
  func `puts user names and passwords aside`(input: String, base: String?, userinfo: String, href: String)
    throws
  {
    let url = try parse(input, base)
    #expect(url.href == href)
    #expect(url.password.isEmpty ? url.username == userinfo : "\(url.username):\(url.password)" == userinfo)
  }

  @Test(
    arguments: [
      ("http://h:", nil, "http://h/"),
      ("http://h:/", nil, "http://h/"),
      ("http://h:80", nil, "http://h/"),
      ("http://h:080/", nil, "http://h/"),
      ("http://h:0000000000000080/", nil, "http://h/"),
      ("http://h:443/", nil, "http://h:443/"),
      ("https://h:443/", nil, "https://h/"),
      ("https://h:80/", nil, "https://h:80/"),
      ("http://h:0/", nil, "http://h:0/"),
      ("http://h:65535/", nil, "http://h:65535/"),
      ("http://h:0065535/", nil, "http://h:65535/"),
      ("http://h:81?q", nil, "http://h:81/?q"),
      ("http://h:81#f", nil, "http://h:81/#f"),
      ("http://h:81\\x", nil, "http://h:81/x"),
      ("//h:80/", base, "http://h/"),
      ("//h:443/", base, "http://h:443/"),
      ("https://h:81/", base, "https://h:81/"),
    ] as [(String, String?, String)])
  func `drops ports that are the default or empty`(input: String, base: String?, href: String) throws {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("http://h/.", nil, "http://h/"),
      ("http://h/..", nil, "http://h/"),
      ("http://h/./", nil, "http://h/"),
      ("http://h/../", nil, "http://h/"),
      ("http://h/a/.", nil, "http://h/a/"),
      ("http://h/a/..", nil, "http://h/"),
      ("http://h/a/./b", nil, "http://h/a/b"),
      ("http://h/a/../b", nil, "http://h/b"),
      ("http://h/a/b/../../../c", nil, "http://h/c"),
      ("http://h/a/%2e/b", nil, "http://h/a/b"),
      ("http://h/a/%2E%2e/b", nil, "http://h/b"),
      ("http://h/a/.%2E", nil, "http://h/"),
      ("http://h/a/%2e.", nil, "http://h/"),
      ("http://h/a/%2e%2e%2f", nil, "http://h/a/%2e%2e%2f"),
      ("http://h/a/...", nil, "http://h/a/..."),
      ("http://h/a/.../b", nil, "http://h/a/.../b"),
      ("http://h/a/..;/b", nil, "http://h/a/..;/b"),
      ("http://h/a//..//b", nil, "http://h/a//b"),
      ("http://h//..", nil, "http://h/"),
      ("http://h/a/..?..", nil, "http://h/?.."),
      ("http://h/a/.#..", nil, "http://h/a/#.."),
      ("http://h/a\\..\\b", nil, "http://h/b"),
      ("http://h/C:/../x", nil, "http://h/x"),
      ("http://h/C|/../x", nil, "http://h/x"),
      (".", base, "http://base.example:81/a/"),
      ("..", base, "http://base.example:81/"),
      ("./", base, "http://base.example:81/a/"),
      ("../", base, "http://base.example:81/"),
      ("../..", base, "http://base.example:81/"),
      ("../../x/./y/..", base, "http://base.example:81/x/"),
      ("%2e%2e/x", base, "http://base.example:81/x"),
      (".x", base, "http://base.example:81/a/.x"),
      ("..x", base, "http://base.example:81/a/..x"),
      ("x/..", base, "http://base.example:81/a/"),
      ("./..", base, "http://base.example:81/"),
      ("?..", base, "http://base.example:81/a/b?.."),
      ("C|/x", base, "http://base.example:81/a/C|/x"),
    ] as [(String, String?, String)])
  func `resolves dot segments however they are spelled`(input: String, base: String?, href: String) throws {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("http://h/%", nil, "http://h/%"),
      ("http://h/%a", nil, "http://h/%a"),
      ("http://h/%zz%41%7e", nil, "http://h/%zz%41%7e"),
      ("http://h/\"<>^`{|}", nil, "http://h/%22%3C%3E%5E%60%7B|%7D"),
      ("http://h/!$&'()*+,-.:;=@_~[]", nil, "http://h/!$&'()*+,-.:;=@_~[]"),
      ("http://h/?\"<>^`{|}'", nil, "http://h/?%22%3C%3E^`{|}%27"),
      ("http://h/?!$&()*+,-./:;=?@_~[]\\", nil, "http://h/?!$&()*+,-./:;=?@_~[]\\"),
      ("http://h/#\"<>^`{|}'", nil, "http://h/#%22%3C%3E^%60{|}'"),
      ("http://h/#!$&()*+,-./:;=?@_~[]\\#", nil, "http://h/#!$&()*+,-./:;=?@_~[]\\#"),
      ("http://h/\u{E9}?\u{E9}#\u{E9}", nil, "http://h/%C3%A9?%C3%A9#%C3%A9"),
      ("http://h/😀?😀#😀", nil, "http://h/%F0%9F%98%80?%F0%9F%98%80#%F0%9F%98%80"),
      ("http://h/�", nil, "http://h/%EF%BF%BD"),
      ("http://h/\u{E000}", nil, "http://h/%EE%80%80"),
      ("http://h/\u{2028}", nil, "http://h/%E2%80%A8"),
      ("http://h/a\u{301}", nil, "http://h/a%CC%81"),
      ("http://h/%E9", nil, "http://h/%E9"),
      ("http://h/%c3%a9", nil, "http://h/%c3%a9"),
      ("http://%68/", nil, "http://h/"),
      ("http://h%2eexample/", nil, "http://h.example/"),
      ("http://%e4%bd%a0.example/", nil, "http://xn--6qq.example/"),
      ("http://%31%32%37.1/", nil, "http://127.0.0.1/"),
    ] as [(String, String?, String)])
  func `percent-encodes what each part must not hold`(input: String, base: String?, href: String) throws {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("", base, "http://base.example:81/a/b?c"),
      ("#", base, "http://base.example:81/a/b?c#"),
      ("#f", base, "http://base.example:81/a/b?c#f"),
      ("?", base, "http://base.example:81/a/b?"),
      ("?q", base, "http://base.example:81/a/b?q"),
      ("?q#f", base, "http://base.example:81/a/b?q#f"),
      ("?#", base, "http://base.example:81/a/b?#"),
      (":", base, "http://base.example:81/a/:"),
      (":x", base, "http://base.example:81/a/:x"),
      ("://h", base, "http://base.example:81/a/://h"),
      ("1http://h/", base, "http://base.example:81/a/1http://h/"),
      ("./x:y", base, "http://base.example:81/a/x:y"),
      ("http", base, "http://base.example:81/a/http"),
      ("http%3A//h/", base, "http://base.example:81/a/http%3A//h/"),
      ("http%3A%2F%2Fh%2F", base, "http://base.example:81/a/http%3A%2F%2Fh%2F"),
      ("\"http://h/\"", base, "http://base.example:81/a/%22http://h/%22"),
      ("<http://h/>", base, "http://base.example:81/a/%3Chttp://h/%3E"),
      ("(http://h/)", base, "http://base.example:81/a/(http://h/)"),
      ("www.example.org", base, "http://base.example:81/a/www.example.org"),
      ("@h", base, "http://base.example:81/a/@h"),
      ("[::1]", base, "http://base.example:81/a/[::1]"),
      ("%", base, "http://base.example:81/a/%"),
      ("&", base, "http://base.example:81/a/&"),
      ("a=b;c", base, "http://base.example:81/a/a=b;c"),
      ("%68:81/x", base, "http://base.example:81/a/%68:81/x"),
    ] as [(String, String?, String)])
  func `takes references literally that only look odd`(input: String, base: String?, href: String) throws {
    #expect(try parse(input, base).href == href)
  }

  @Test(
    arguments: [
      ("http://", nil),
      ("http:///", nil),
      ("https:?q", nil),
      ("http:#f", nil),
      ("http://:81", nil),
      ("http://u@", nil),
      ("http://u:p@/x", nil),
      ("http://u@:81/", nil),
      ("http://h:65536", nil),
      ("http://h:-1", nil),
      ("http://h: 81", nil),
      ("http://h:8 1", nil),
      ("http://h:81:82", nil),
      ("http://h:x", nil),
      ("http://h:%38", nil),
      ("http://h:\u{FF18}", nil),
      ("http://a b", nil),
      ("http://a%20b", nil),
      ("http://a%b", nil),
      ("http://a%", nil),
      ("http://a%00", nil),
      ("http://a%0ab", nil),
      ("http://a%2fb", nil),
      ("http://a%3ab", nil),
      ("http://a%40b", nil),
      ("http://a%23b", nil),
      ("http://a%5bb", nil),
      ("http://a<b", nil),
      ("http://a>b", nil),
      ("http://a^b", nil),
      ("http://a|b", nil),
      ("http://a[b", nil),
      ("http://a]b", nil),
      ("http://a\u{7F}b", nil),
      ("http://a\u{1}b", nil),
      ("//", base),
      ("///", base),
      ("//?q", base),
      ("//:81/", base),
      ("//u@/", base),
      ("//h:x", base),
      ("https:", base),
      ("\\\\", base),
      ("/\\", base),
      ("//a b", base),
      ("//[::1", base),
      ("//1.2.3.4.5", base),
    ] as [(String, String?)])
  func `refuses what has no good host or port`(input: String, base: String?) throws {
    let base = try base.map { try WebURL($0) }
    #expect(throws: LinkError.self) { try WebURL(bytes: Array(input.utf8), relativeTo: base) }
  }

  private func parse(_ input: String, _ base: String?) throws -> WebURL {
    try WebURL(bytes: Array(input.utf8), relativeTo: base.map { try WebURL($0) })
  }
}
