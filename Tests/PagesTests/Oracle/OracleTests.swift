import Testing

@testable import Pages

/// The scan against a whole tree builder.
struct OracleTests {
  @Test(arguments: [
    "<title>a</title>", "<TITLE/>a", "<title>a</title x=y>", "<title>a</titles></title>", "<title>a</title",
    "<title>&amp;lt; &#146; &notit; &copy2 &#0; &#xD800; \0</title>", "<title> \u{A0} a\u{A0}b </title>",
    "<title></title><title>b</title>", "<title> </title>", "<title>a<!-- </title> --></title>",
    "<!--><title>a</title>-->", "<!---><title>a</title>-->", "<!----><title>a</title>",
    "<!-- --!><title>a</title>", "<!-- --!x><title>a</title> --><title>b</title>", "<!--a--><title>a</title>",
    "<!--<!--><title>a</title>", "<!--<!---><title>a</title>", "<!-- <!-- --><title>a</title>",
    "<!-- --><title>a</title>-->", "<!--", "<!-- -", "<!-- --", "<!-- --!", "<!-", "<!", "<!->", "<!--->",
    "<!a><title>a</title>", "<?a><title>a</title>", "</ a><title>a</title>", "</><title>a</title>",
    "<3><title>a</title>", "<%a><title>a</title>", "</%a><title>a</title>", "< title>a</title>",
    "<a href=\"x>y\"><title>a</title>", "<a href='x>y'><title>a</title>", "<a href=x>y\"><title>a</title>",
    "<a =x=y\"z><title>a</title>", "<a/href='>'><title>a</title>", "<a 'b\"><title>a</title>",
    "<a b='c'd='>'><title>a</title>", "<a b = '>' ><title>a</title>", "<a b=><title>a</title>",
    "<a b=`>`><title>a</title>", "<a b=\"", "<title>a</title><a b=\"<title>", "<a\0b='>'><title>a</title>",
    "<script></script><title>a</title>", "<script><!--</script><title>a</title>",
    "<script><!--<script></script><title>a</title>",
    "<script><!--<script></script>--></script><title>a</title>",
    "<script><!-->x</script><title>a</title>", "<script><!--->x</script><title>a</title>",
    "<script><!--<script>--></script><title>a</title>",
    "<script><!--<script/ </script/></script><title>a</title>",
    "<script><!--<scriptx></script><title>a</title>",
    "<script><!--<SCRIPT ></script></SCRIPT\t><title>a</title>",
    "<script><!-<script></script><title>a</title>",
    "<script><!--<script></scriptx></script></script><title>a",
    "<script><!--<script>--<!--></script><title>a</title>", "<script>a</script", "<script><!--<script",
    "<style><!--</style><title>a</title>", "<style></styles></style ><title>a</title>",
    "<textarea><title>b</title></textarea><title>a</title>", "<xmp></xmp\u{C}><title>a</title>",
    "<iframe><title>b</title></iframe><title>a</title>", "<noembed><!--</noembed><title>a</title>",
    "<noframes></noframes><title>a</title>", "<noscript><title>a</title></noscript>",
    "<plaintext><title>a</title></plaintext>", "<svg><title>b</title></svg><title>a</title>",
    "<svg><title><title>c</title></title></svg><title>a</title>", "<svg/><title>a</title>",
    "<svg><desc><title>a</title>", "<svg><foreignObject><title>a</title>",
    "<svg><foreignobject><svg><title>b</title></svg><title>a</title>",
    "<svg><script><title>b</title></script></svg><title>a</title>",
    "<svg><style><title>b</title></style></svg>",
    "<svg><p><title>a</title>", "<svg><font color=x><title>a</title>",
    "<svg><font x=y><title>b</title></svg>",
    "<svg></div><title>b</title></svg><title>a",
    "<div><svg></div><title>a</title>", "<div><svg><desc></div></desc><title>b</title></svg><title>a",
    "<p><svg><g></p><title>a</title>",
    "<svg><![CDATA[<title>b</title>]]></svg><title>a</title>", "<![CDATA[<title>a</title>]]>",
    "<svg><![CDATA[</svg>]]]]><title>b</title></svg><title>a</title>",
    "<svg><![cdata[</svg><title>a</title>]]>",
    "<math><title>b</title></math><title>a</title>", "<math><mi><title>a</title>",
    "<math><mi><mglyph><title>b</title></mglyph></mi></math><title>a</title>",
    "<math><annotation-xml><title>b</title></annotation-xml></math><title>a</title>",
    "<math><annotation-xml encoding='TEXT/html'><title>a</title>",
    "<math><annotation-xml encoding=x><svg><title>b</title></svg></annotation-xml></math><title>a</title>",
    "<math><annotation-xml><svg><desc><title>a</title>",
    "<math><svg><desc><title>b</title></svg></math><title>a",
    "<template><title>b</title></template><title>a</title>", "<template><title>b</title><title>c",
    "<template><template></template><title>b</title></template><title>a</title>",
    "<svg><template><title>b</title></template></svg><title>a</title>", "</template><title>a</title>",
    "<template></svg></template><title>a</title>", "<template><svg></template><title>a</title>",
    "<html><head></head><title>a</title><body>", "<body><title>a</title>", "</html><title>a</title>",
    "</body><meta property=og:title content=a>", "<p><title>a</title>", "x<title>a</title>",
    "<html lang=a><html lang=b>", "<p><html lang=a>", "<html lang=''><title>a", "<base href=a><base href=b>",
    "<base target=a><base href=b>", "<meta name=description content=a content=b>",
    "<meta NAME=Description CONTENT='a &amp; b'>", "<meta name=description><meta name=description content=b>",
    "<image><title>a</title>", "<isindex><title>a</title>", "<table><tr><td><title>a</title>",
    "<frame><title>a</title>", "<head><p></head><title>a</title>", "<button><title>a</title>",
    "\u{FEFF}<title>a</title>", "<title>\r\n a\r</title>", "<title>\n\na</title>",
    "<textarea>\n</textarea><title>a",
  ])
  func `a tricky page is read as the tree says`(html: String) {
    #expect(Comparison(Array(html.utf8)).differences == [])
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `random markup is read as the tree says`(seed: UInt64) {
    var random = Random(seed: seed)
    for _ in 0..<1_000 {
      let html = RandomMarkup.page(&random)
      let differences = Comparison(Array(html.utf8)).differences
      #expect(differences == [], "seed \(seed): \(html.debugDescription)")
      guard differences.isEmpty else { return }
    }
  }
}
