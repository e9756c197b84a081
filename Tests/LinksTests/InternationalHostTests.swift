import Links
import Testing

struct `International hosts` {
  @Test(arguments: [
    ("bücher.example", "xn--bcher-kva.example"),
    ("BÜCHER.example", "xn--bcher-kva.example"),
    ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ("b%C3%BCcher.example", "xn--bcher-kva.example"),
    ("münchen.de", "xn--mnchen-3ya.de"),
    ("faß.de", "xn--fa-hia.de"),
    ("βόλος.com", "xn--nxasmm1c.com"),
    ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
    ("你好你好", "xn--6qqa088eba"),
    ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("か\u{3099}.jp", "xn--v8j.jp"),
    ("한국.kr", "xn--3e0b707e.kr"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}.kr", "xn--3e0b707e.kr"),
    ("مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"),
    ("उदाहरण.परीक्षा", "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
    ("i❤.ws", "xn--i-7iq.ws"),
    ("💩.la", "xn--ls8h.la"),
    ("ＧＯ.com", "go.com"),
    ("日本語。ＪＰ", "xn--wgv71a119e.jp"),
    ("ex\u{AD}ample.org", "example.org"),
    ("a\u{200B}b.org", "ab.org"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
    ("ώ.gr", "xn--gya.gr"),
    ("\u{1F7D}.gr", "xn--gya.gr"),
  ])
  func `become Punycode`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    "xn--", "xn--a", "xn--abc-", "xn---abc", "a.xn--0.b", "xn--99999999999999", "xn--bcher-KVA9999999",
    "a\u{FFFD}b", "\u{E000}.org", "\u{301}a.org", "a\u{202E}b.org", "x\u{2028}y", "a\u{200D}b.org",
    "%FF%FE", "xn--bücher.de", "XN--ü", "f²", "ﬁ.org", "a¼", "ªb", "ö\u{B4}m", "%E9.org", "xn--55555577",
  ])
  func `that break the rules are refused`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(host)/") }
  }

  @Test(arguments: [
    ("%C2%AD", HostFault.missing),
    ("a\u{3000}b.ö", .invalidInternationalName),
    ("ö％41", .forbiddenCharacter),
    ("ö．a／b", .forbiddenCharacter),
    ("ö%3Aa", .forbiddenCharacter),
  ])
  func `cannot smuggle what plain hosts cannot have`(host: String, fault: HostFault) {
    #expect(throws: LinkError.invalidHost(fault)) { try WebURL("http://\(host)/") }
  }

  @Test func `with labels too long for any resolver are refused before they cost anything`() {
    let label = String(repeating: "ö", count: 20_000)
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(label)/") }
    let encoded = "xn--" + String(repeating: "a", count: 60_000)
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(encoded)/") }
  }
}
