import Pages
import Testing

struct TitleTests {
  @Test(arguments: [
    ("<title>Plain</title>", "Plain"),
    ("<TITLE>Upper case</TITLE>", "Upper case"),
    ("<title\n lang=en >With an attribute</title\t>", "With an attribute"),
    ("<title> \n two\t\r\n words \u{C} </title>", "two words"),
    ("<title>no\u{A0}break </title>", "no\u{A0}break"),
    ("<title>a <b>bold</b> word</title>", "a <b>bold</b> word"),
    ("<title>a <!-- b --> c</title>", "a <!-- b --> c"),
    ("<title>never closed", "never closed"),
    ("<title>closed at the very end</title", "closed at the very end</title"),
    ("<title>a</titles>b</title>", "a</titles>b"),
    ("<title/>no self-closing</title>", "no self-closing"),
    ("<title>null \0</title>", "null \u{FFFD}"),
    ("<title>first</title><title>second</title>", "first"),
    ("<html><body><p>text<title>in the body</title>", "in the body"),
    ("<head></head><body><title>late</title>", "late"),
    ("<title>before html</title><html><head>", "before html"),
    ("no markup at all <title>x</title>", "x"),
    ("<noscript><title>in noscript</title></noscript>", "in noscript"),
    ("\u{FEFF}<title>behind a mark</title>", "behind a mark"),
  ])
  func `a title is found`(html: String, title: String) {
    let facts = read(html)
    #expect(facts.title == title)
    #expect(facts.titleSource == .title)
  }

  @Test(arguments: [
    ("a comment", "<!-- <title>no</title> --><title>yes</title>"),
    ("a comment that ends at once", "<!--><title>yes</title> -->"),
    ("a comment that ends at its first dash", "<!---><title>yes</title> -->"),
    ("a comment that ends with a bang", "<!-- <title>no</title> --!><title>yes</title>"),
    ("a comment with dashes", "<!-- -- > - -> <title>no</title> ---><title>yes</title>"),
    ("a bogus comment", "<!no <title><?php <title>></ <title>><title>yes</title>"),
    ("CDATA outside svg", "<![CDATA[ <title>no]]><title>yes</title>"),
    ("a doctype", "<!DOCTYPE html PUBLIC \"<title>no\"><title>yes</title>"),
    ("a quoted value", "<meta content=\"><title>no</title>\"><title>yes</title>"),
    ("a single-quoted value", "<meta content='\"><title>no</title>'><title>yes</title>"),
    ("a quote in a name", "<a \"x><title>yes</title>\">"),
    ("a quote in an unquoted value", "<a href=x\"y><title>yes</title>\">"),
    ("no tag", "a < b <1> <> </> <title>yes</title>"),
    ("a script", "<script>'<title>no</title>'</script><title>yes</title>"),
    ("an escaped script", "<script><!-- <title>no</title></script><title>yes</title> -->"),
    (
      "a double-escaped script",
      "<script><!-- <script> </script> <title>no</title> --></script><title>yes</title>"
    ),
    ("a script whose escape is over at once", "<script><!--><script></script><title>yes</title>"),
    ("a script's end in an attribute", "<script src='</script>'></script><title>yes</title>"),
    ("a script that is a near miss", "<script></scripty><title>no</title></script ><title>yes</title>"),
    ("a style", "<style><title>no</title></style><title>yes</title>"),
    ("a textarea", "<textarea><title>no</title></textarea><title>yes</title>"),
    ("xmp", "<xmp><title>no</title></xmp><title>yes</title>"),
    ("an iframe", "<iframe><title>no</title></iframe><title>yes</title>"),
    ("noembed", "<noembed><title>no</title></noembed><title>yes</title>"),
    ("noframes", "<noframes><title>no</title></noframes><title>yes</title>"),
    ("svg", "<svg><title>no</title></svg><title>yes</title>"),
    ("svg in svg", "<svg><svg><title>no</title></svg><title>no</title></svg><title>yes</title>"),
    ("a closed svg", "<svg/><title>yes</title>"),
    ("svg with a style", "<svg><style><title>no</title></style></svg><title>yes</title>"),
    ("svg with CDATA", "<svg><![CDATA[</svg><title>no</title>]]></svg><title>yes</title>"),
    ("svg ended by HTML", "<svg><g><p><title>yes</title>"),
    ("svg ended by a font with a colour", "<svg><font color=red><title>yes</title>"),
    ("svg not ended by a plain font", "<svg><font><title>no</title></svg><title>yes</title>"),
    ("HTML inside svg", "<svg><foreignObject><title>yes</title>"),
    ("math", "<math><title>no</title></math><title>yes</title>"),
    ("HTML inside math", "<math><annotation-xml encoding='text/html'><title>yes</title>"),
    ("a template", "<template><title>no</title></template><title>yes</title>"),
    (
      "a template in a template",
      "<template><template></template><title>no</title></template><title>yes</title>"
    ),
    ("a template with svg", "<template><svg></template><title>yes</title>"),
  ])
  func `a title is not looked for inside`(place: String, html: String) {
    #expect(read(html).title == "yes")
  }

  @Test(arguments: [
    "<title>t</title><meta name=x content=\"",
    "<title>t</title><meta name=x content=y",
    "<title>t</title><!-- <meta",
    "<title>t</title><script>",
    "<title>t</title></",
    "<title>t</title><",
  ])
  func `an unfinished page keeps what it gave`(html: String) {
    #expect(read(html).title == "t")
  }

  @Test(arguments: [
    (
      "<meta property=og:title content=og><meta name=twitter:title content=t><h1>h</h1>", "og", TitleSource.og
    ),
    ("<title> </title><h1>h</h1><meta name='twitter:title' content=tw>", "tw", .twitter),
    ("<title>\u{A0}</title><h1>h</h1>", "h", .h1),
    (
      "<h1> </h1><h1><img alt=x> a <em>b</em><br>c &amp; <svg><title>no</title></svg>d</h1>", "a b c & d", .h1
    ),
    ("<h1>unclosed", "unclosed", .h1),
    ("<h1>h</h1><title>later</title>", "later", .title),
  ])
  func `without a title the next source is taken`(html: String, title: String, source: TitleSource) {
    let facts = read(html)
    #expect(facts.title == title)
    #expect(facts.titleSource == source)
  }

  @Test func `a page without any title has none`() {
    let facts = read("<p>text</p>")
    #expect(facts.title == nil)
    #expect(facts.titleSource == nil)
  }

  @Test func `a long title is cut between characters`() {
    let family = "👨‍👩‍👧‍👦"
    let title = read("<title>" + String(repeating: family, count: 500) + "</title>").title ?? ""
    #expect(title.utf8.count <= 2_000)
    #expect(title.utf8.count > 2_000 - family.utf8.count)
    #expect(title.allSatisfy { String($0) == family })
  }

  @Test func `a character longer than the limit is cut between scalars`() {
    let title = read("<title>e" + String(repeating: "\u{301}", count: 5_000) + "</title>").title ?? ""
    #expect(title.utf8.count == 1_999)
  }

  @Test func `bad UTF-8 becomes the replacement character`() {
    let body = Array("<title>a".utf8) + [0xC3, 0x28, 0xFF] + Array("b</title>".utf8)
    #expect(read(body, contentType: "text/html; charset=utf-8").title == "a\u{FFFD}(\u{FFFD}b")
  }

  @Test func `what follows the head is not read once the title and a preview are known`() {
    let head = "<head><title>t</title><meta property=og:title content=o></head>"
    let facts = read("\(head)<body><meta name=description content=no>")
    #expect(facts.card[.description] == nil)
  }
}
