import Pages
import Testing

struct XMLTests {
  @Test(arguments: [
    ("<?xml version='1.0'?><html xmlns='x'><head><script/><title>T &amp; t</title></head></html>", "T & t"),
    (
      "<rss><channel><title><![CDATA[A & <b>]]></title><item><title>no</title></item></channel></rss>",
      "A & <b>"
    ),
    ("<feed><title type='html'>a &lt;b&gt; c</title></feed>", "a c"),
    (
      "<feed><title type='html'>a &amp;amp; b&lt;br&gt;c&lt;script&gt;no&lt;/script&gt;</title></feed>",
      "a & b c"
    ),
    ("<feed><title type='text'>a &lt;b&gt; c</title></feed>", "a <b> c"),
    ("<feed><title type='xhtml'><div>Less: <em> &lt; </em></div></title></feed>", "Less: <"),
    ("<feed><entry><title>no</title></entry><title>yes</title></feed>", "yes"),
    ("<feed><author/><title>yes</title></feed>", "yes"),
    ("<rss><channel><image><title>no</title></image><title>yes</title></channel></rss>", "yes"),
    ("<rss><channel><item><title>no</title></item><title>yes</title></channel></rss>", "yes"),
    ("<rss><title>no</title><channel><media:title>no</media:title><title>yes</title></channel></rss>", "yes"),
    ("<rdf:RDF><channel><title>yes</title></channel><item><title>no</title></item></rdf:RDF>", "yes"),
    ("<rdf:RDF><item><title>no</title></item><channel><title>yes</title></channel></rdf:RDF>", "yes"),
    ("<svg><g><title>no</title></g><title>yes</title></svg>", "yes"),
    ("<!-- x --><?x y?><svg><desc/><title><![CDATA[a <b>]]></title></svg>", "a <b>"),
    ("<svg><title>drawing</title></svg>", "drawing"),
    ("<html><body><svg><title>no</title></svg><p>x</p></body><title>yes</title></html>", "yes"),
    ("<!DOCTYPE x [ <!ENTITY a '<title>no</title>'> ]><x><title>yes</title></x>", "yes"),
    ("<x><title>unclosed", "unclosed"),
  ])
  func `a title is found by the rules of XML`(xml: String, title: String) {
    #expect(read(xml, contentType: "application/xml").title == title)
  }

  @Test(arguments: [
    "<feed><entry><title>no</title></entry></feed>",
    "<rss><channel><item><title>no</title></item></channel></rss>",
    "<svg><g><title>no</title></g></svg>", "<rss><title>no</title></rss>",
  ])
  func `a part's title is not the whole's`(xml: String) {
    #expect(read(xml, contentType: "text/xml").title == nil)
  }

  @Test(arguments: [
    ("<html><title>t</title></html>", "application/xml", true), ("<html/>", "application/xhtml+xml", true),
    ("<svg/>", "image/svg+xml", false), ("<rss/>", "text/xml", false), ("<html/>", "text/html", true),
    ("", "text/html", true), ("{}", "application/json", false), ("%PDF-", "application/pdf", false),
  ])
  func `a page is HTML or XHTML`(body: String, type: String, isPage: Bool) {
    #expect(read(body, contentType: type).isPage == isPage)
  }

  @Test func `an empty title element is a title without text`() {
    #expect(read("<x><title/><title>no</title></x>", contentType: "text/xml").title == nil)
  }
}
