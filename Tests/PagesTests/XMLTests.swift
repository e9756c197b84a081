import Pages
import Testing

struct XMLTests {
  @Test(arguments: [
    ("<?xml version='1.0'?><html xmlns='x'><head><script/><title>T &amp; t</title></head></html>", "T & t"),
    (
      "<rss><channel><title><![CDATA[A & <b>]]></title><item><title>no</title></item></channel></rss>",
      "A & <b>"
    ),
    ("<feed><title type='html'>a &lt;b&gt; c</title></feed>", "a <b> c"),
    ("<svg><title>drawing</title></svg>", "drawing"),
    ("<html><body><svg><title>no</title></svg><p>x</p></body><title>yes</title></html>", "yes"),
    ("<!DOCTYPE x [ <!ENTITY a '<title>no</title>'> ]><x><title>yes</title></x>", "yes"),
    ("<x><title>unclosed", "unclosed"),
  ])
  func `a title is found by the rules of XML`(xml: String, title: String) {
    #expect(read(xml, contentType: "application/xml").title == title)
  }

  @Test func `an empty title element is a title without text`() {
    #expect(read("<x><title/><title>no</title></x>", contentType: "text/xml").title == nil)
  }
}
