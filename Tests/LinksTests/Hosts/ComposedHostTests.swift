import Links
import Testing

struct `Hosts with marks` {
  @Test(arguments: [
    ("e\u{301}.fr", "xn--9ca.fr"),
    ("a\u{333}\u{323}.org", "xn--a-vdb1c.org"),
    ("A\u{30A}.no", "xn--5ca.no"),
    ("a\u{323}\u{302}.vn", "xn--zkg.vn"),
    ("a\u{302}\u{323}.vn", "xn--zkg.vn"),
    ("ḋ\u{323}.org", "xn--rsa949k.org"),
    ("q\u{307}\u{323}.org", "xn--q-9bb7f.org"),
    ("가.kr", "xn--o39a.kr"),
    ("각.kr", "xn--p39a.kr"),
    ("각ᆨ.kr", "xn--rud9310f.kr"),
    ("か\u{3099}.jp", "xn--v8j.jp"),
    ("ｶﾞ.jp", "xn--mck.jp"),
    ("न\u{93C}.in", "xn--m2b.in"),
    ("\u{958}.in", "xn--11b2f.in"),
    ("\u{212B}.se", "xn--5ca.se"),
    ("\u{1F71}.gr", "xn--hxa.gr"),
    ("ι\u{308}\u{301}.gr", "xn--owa.gr"),
    ("x\u{344}", "xn--lsa712l"),
    ("\u{5E9}\u{5C1}.il", "xn--pdb3f.il"),
    ("\u{FB2A}.il", "xn--pdb3f.il"),
    ("𑂙\u{110BA}.in", "xn--i40d.in"),
    ("s\u{323}\u{307}.org", "xn--1ig.org"),
    ("ẛ\u{323}.org", "xn--1ig.org"),
    ("x\u{301}\u{316}\u{300}.org", "xn--x-vbbc7f.org"),
  ])
  func `are composed canonically`(host: String, ascii: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(ascii))
  }
}
