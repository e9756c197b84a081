import Links
import Testing

struct `Right-to-left hosts` {
  @Test(arguments: [
    ("\u{5D0}\u{5D1}.com", "xn--4dbc.com"),
    ("\u{5D0}1.com", "xn--1-zhc.com"),
    ("\u{5D0}-\u{5D1}", "xn----zhce"),
    ("\u{5D0}.\u{5D1}.", "xn--4db.xn--5db."),
    ("\u{639}\u{631}\u{628}\u{64A}.com", "xn--ngbrx4e.com"),
    ("\u{627}\u{660}", "xn--mgb8i"),
    ("\u{627}۱", "xn--mgb81b"),
    ("\u{5D0}\u{5B0}", "xn--7cb7d"),
    ("a.\u{5D0}", "a.xn--4db"),
    ("\u{641}\u{64E}\u{652}", "xn--dhb0am"),
    ("\u{719}\u{713}", "xn--dnbl"),
    ("\u{10CC0}\u{5D0}", "xn--4db7375k"),
    ("\u{7D0}\u{7D1}", "xn--rsbc"),
    ("a1.\u{5D0}", "a1.xn--4db"),
    ("a-1.\u{5D0}", "a-1.xn--4db"),
    ("\u{5D0}\u{660}", "xn--4db20a"),
    ("\u{628}\u{60B}", "xn--tfb1d"),
  ])
  func `that follow the Bidi rule are encoded`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    "a\u{5D0}", "\u{5D0}a", "1\u{5D0}", "-\u{5D0}", "\u{5D0}-", "\u{660}\u{5D0}", "\u{5D0}1\u{660}",
    "1.\u{5D0}", "\u{5D0}.1a", "\u{5D0}.-a", "\u{5D0}.a-", "\u{5D0}._a", "a.\u{5D0}.b-", "\u{5D0}\u{5B0}-",
    "\u{627}a\u{628}", "😀.\u{5D0}", "\u{5D0}$", "۱\u{627}", "xn--4db.é-", "xn--a-0hc.é",
  ])
  func `that mix directions, or stand beside labels that would move, are refused`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(host)/") }
  }
}

struct `Invisible joiners in hosts` {
  @Test(arguments: [
    ("क\u{94D}\u{200D}ष.in", "xn--11b2ezcw70k.in"),
    ("क\u{94D}\u{200C}ष.in", "xn--11b2ezcs70k.in"),
    ("क\u{94D}\u{200D}.in", "xn--11b6iy14e.in"),
    ("\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}.ir", "xn--mgba3gch31f060k.ir"),
    ("\u{628}\u{200C}\u{628}", "xn--ngba799q"),
    ("\u{628}\u{64B}\u{200C}\u{64B}\u{628}", "xn--ngba8ha8704a"),
    ("ශ\u{DCA}\u{200D}ර\u{DD3}.lk", "xn--10cl1a0b660p.lk"),
    ("ന\u{D4D}\u{200D}.in", "xn--uwc8ep99d.in"),
  ])
  func `are kept where they change how a word looks`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }

  @Test(arguments: [
    "a\u{200C}b", "a\u{200D}b", "\u{200C}", "\u{200D}a", "👩\u{200D}👩", "\u{627}\u{200C}\u{628}",
    "\u{628}\u{200C}", "\u{200C}\u{628}", "\u{628}\u{200D}\u{628}", "क\u{200D}ष", "\u{628}\u{200C}1",
    "\u{628}\u{200C}\u{621}",
  ])
  func `are refused where nobody would see them`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) { try WebURL("http://\(host)/") }
  }
}
