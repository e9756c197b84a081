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
    ("한국.kr", "xn--3e0b707e.kr"),
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
    (
      "ＥＸＡＭＰＬＥ．ｃｏｍ",
      "example.com"
    ),
    ("ﬁne.org", "fine.org"),
    ("½.org", "xn--12-c6t.org"),
    ("①②.org", "12.org"),
    ("℡.com", "tel.com"),
    ("㍿.jp", "xn--6oqv20b1zgzxr.jp"),
    ("ªº.es", "ao.es"),
    ("x².org", "x2.org"),
    ("K.org", "k.org"),
    ("Å.org", "xn--5ca.org"),
    ("ẞ.de", "xn--zca.de"),
    ("straße.de", "xn--strae-oqa.de"),
    ("ǅ.hr", "xn--d-toa.hr"),
    ("ŉ.org", "xn--n-y6a.org"),
    ("ſ.org", "s.org"),
    ("Ⅷ.org", "viii.org"),
    ("𝓔𝔁.com", "ex.com"),
    ("🅰.org", "xn--037h.org"),
    ("İ.tr", "xn--i-9bb.tr"),
    ("ﾊﾝｶｸ.jp", "xn--lcki8g8f.jp"),
    ("ᏸ.us", "xn--gce.us"),
    ("Ⴠᲀ.ge", "xn--b1a960s.ge"),
    ("Ω.gr", "xn--bya.gr"),
    ("ΑΣ.gr", "xn--mxa0b.gr"),
    ("ᾳ.gr", "xn--mxaq.gr"),
    ("ﬓ.am", "xn--ibbe.am"),
    ("豈.cn", "xn--oh3a.cn"),
    ("\u{2F868}.cn", "xn--snl.cn"),
    ("a。b\u{FF61}c．d", "a.b.c.d"),
    ("①．com", "1.com"),
    ("≠.org", "xn--1ch.org"),
    ("a=\u{338}b", "xn--ab-miv"),
    ("☃\u{FE0F}.net", "xn--n3h.net"),
    ("a\u{2060}b", "ab"),
    ("\u{FEFF}t.co", "t.co"),
    ("a\u{34F}b", "ab"),
    ("1\u{180E}2x", "12x"),
    ("𑀓.org", "xn--n00d.org"),
    ("Ꜳ.org", "xn--k38a.org"),
    ("Ⴀ.ge", "xn--rkj.ge"),
    ("ɐ.org", "xn--jna.org"),
  ])
  func `are mapped as UTS 46 says`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    ("xn--bcher-kva.ö", "xn--bcher-kva.xn--nda"),
    ("XN--BCHER-KVA.ö", "xn--bcher-kva.xn--nda"),
    ("xn--fa-hia.ö", "xn--fa-hia.xn--nda"),
    ("xn--ls8h.ö", "xn--ls8h.xn--nda"),
    (
      "ö.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "xn--nda.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    ),
    (
      "öxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.org",
      "xn--xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-x4f.org"
    ),
  ])
  func `may have labels in Punycode already`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    ("xn--", "xn--"),
    ("xn--a", "xn--a"),
    ("XN--A", "xn--a"),
    ("xn--8i7caa.famitei.net", "xn--8i7caa.famitei.net"),
    ("xn--board-ngr.palungjit.org", "xn--board-ngr.palungjit.org"),
    ("2.xn--mgbb", "2.xn--mgbb"),
    ("a.xn--0.b", "a.xn--0.b"),
    ("xn--99999999999999", "xn--99999999999999"),
    ("xn--bcher-KVA9999999", "xn--bcher-kva9999999"),
    ("xn--55555577", "xn--55555577"),
    ("xn--a-b", "xn--a-b"),
  ])
  func `in ASCII stay what they are, as in browsers, however wrong their Punycode`(
    host: String, ascii: String
  ) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    "a\u{200D}b.org", "f²\u{E000}", "%FF%FE", "%E9.org", "xn--bücher.de", "XN--ü", "\u{301}a", "\u{903}a",
    "a.\u{301}", "\u{E000}", "\u{2028}.org", "a\u{202E}b", "�", "%EF%B7%90", "%F0%9F%BF%BE", "\u{E0001}",
    "\u{378}", "\u{E01F0}", "\u{61C}\u{627}", "⿰", "\u{D7C7}", "\u{10FFF}", "xn--ü", "xn--a.ö",
    "xn--.ö", "xn--abc-.ö", "xn---.ö", "xn--0.ö", "xn--99999999.ö", "xn--é",
    "xn--bcher-kva9999999.ö", "xn--8i7caa.ö", "xn--fa-xia\u{378}", "xn--sa-0ha.ö",
    "…", "👩\u{200D}a", "xn--xn--zca-hia.ö",
  ])
  func `that break the rules are refused`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(host)/") }
  }

  @Test(arguments: [
    ("%C2%AD", HostFault.missing),
    ("a\u{3000}b.ö", .forbiddenCharacter),
    ("゛.jp", .forbiddenCharacter),
    ("⑴％30", .forbiddenCharacter),
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
    let encoded = "ö.xn--" + String(repeating: "a", count: 60_000)
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(encoded)/") }
  }

  @Test func `with labels longer than 63 bytes are refused by resolvers only`() throws {
    let label = "ö" + String(repeating: "x", count: 100)
    let url = try WebURL("http://\(label)/")
    #expect(try WebURL(url.href) == url)
  }
}
