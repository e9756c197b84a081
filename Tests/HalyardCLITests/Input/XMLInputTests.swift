import Pipeline
import Roles
import Testing

@testable import HalyardCLI

@Suite struct XMLInputTests {
  private static let sitemap = """
    <?xml version="1.0"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc> https://a.test/?x=1&amp;y=&#x32; </loc><image:loc>https://no.test/</image:loc></url>
      <!-- <url><loc>https://no.test/</loc></url> -->
      <url><title>é</title><loc><![CDATA[https://b.test/?a&b]]></loc></url>
    </urlset>
    """

  private func places(_ yield: Yield) -> [[String]] {
    yield.jobs.map { $0.origin.map { ["\($0.line)", "\($0.column)"] } ?? [] }
  }

  @Test func `a sitemap gives its locations with line and column`() {
    let yield = read(Self.sitemap, as: .xml)
    #expect(yield.urls == ["https://a.test/?x=1&y=2", "https://b.test/?a&b"])
    #expect(yield.jobs.map(\.line) == [3, 5])
    #expect(places(yield) == [["3", "14"], ["5", "38"]])
    #expect(yield.fault == nil)
  }

  @Test func `a sitemap reads the same however it is cut`() {
    let whole = read(Self.sitemap, as: .xml)
    for pieces in chunkings(of: Array(Self.sitemap.utf8)) { #expect(read(pieces, as: .xml) == whole) }
  }

  @Test func `a sitemap may be compressed`() {
    let text = "<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap></sitemapindex>"
    #expect(read([gzip(text)], as: .xml).urls == ["https://a.test/1.xml"])
  }

  @Test func `feeds give the links of channels and entries, whatever their prefix`() {
    let rss =
      "<rss><channel><link>https://a.test/</link><item><link>https://a.test/1</link></item></channel></rss>"
    let atom =
      "<a:feed><a:link rel='self' href='https://a.test/f'/><a:entry><a:link href='https://a.test/2'/></a:entry></a:feed>"
    #expect(read(rss, as: .xml).urls == ["https://a.test/", "https://a.test/1"])
    #expect(read(atom, as: .xml).urls == ["https://a.test/2"])
  }

  @Test(arguments: [
    ("/a", "line 1 has no absolute http or https link"),
    ("mailto:a@b.test", "line 1 has no absolute http or https link"),
    ("https://a.test/&nbsp;", "line 1 has an unknown entity in its link"),
  ])
  func `a link that cannot be fetched fails without being looked up`(link: String, problem: String) {
    #expect(read("<urlset><url><loc>\(link)</loc></url></urlset>", as: .xml).problems == [problem])
  }

  @Test(arguments: [
    ("<urlset>\n<url>", "line 2: <url> is not closed"),
    ("<urlset>\n</url>", "line 2: </url> closes nothing"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "line 1: declarations inside <!DOCTYPE> are not supported"),
    ("<a\n b>", "line 2: an attribute is not written as name=\"value\""),
    ("<a><![CDATA[", "line 1: <![CDATA[ is not closed"),
    ("< a>", "line 1: '<' does not begin a tag"),
    (
      String(repeating: "<a>", count: 65),
      "line 1: more than 64 elements are nested"
    ),
  ])
  func `a document that cannot be read names the line`(text: String, problem: String) {
    #expect(read(text, as: .xml).fault == InputError("links", problem))
  }

  @Test func `a document over the limit is refused`() {
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    let yield = read(Array(repeating: piece, count: 17), as: .xml)
    #expect(yield.fault == InputError("links", "is longer than 16MiB"))
  }

  @Test(arguments: ["sitemap.xml", "sitemap.XML.gz", "feed.rss", "feed.atom"])
  func `names tell sitemaps and feeds`(name: String) {
    #expect(InputFormat(ofFile: name) == .xml)
  }
}
