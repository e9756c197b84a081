import Pipeline
import Roles
import Testing

@testable import HalyardCLI

@Suite struct HTMLLinksTests {
  @Test func `anchors and what a page loads are its links, with place and text`() {
    let page = """
      <!DOCTYPE html><title>https://no.test/</title>
      <link rel=stylesheet href=https://a.test/s.css><link rel=preconnect href=https://no.test/>
      <body><!-- <a href=https://no.test/> -->
      <p>é <a class=x href=" https://a.test/?x=1&amp;y=2 ">One <b>two</b>
        three &amp; more</a><a name=top href=''>no</a>
      <a href="https://b.test/"><img src=https://b.test/i.png alt="A &quot;badge&quot;"></a>
      <script src=https://c.test/s.js>"<a href=https://no.test/>"</script><a href=https://d.test/>open
      """
    #expect(
      links(page, as: .html) == [
        "2:27 https://a.test/s.css", "4:24 https://a.test/?x=1&y=2 One two three & more",
        #"6:10 https://b.test/ A "badge""#, #"6:36 https://b.test/i.png A "badge""#,
        "7:13 https://c.test/s.js", "7:77 https://d.test/ open",
      ])
  }

  @Test func `media, frames and quotations refer, too`() {
    let page = """
      <img srcset="https://a.test/1 1x, https://a.test/2,3 2x" src=https://a.test/0>
      <video poster=https://a.test/p src=https://a.test/v></video><iframe src=https://a.test/f><a href=https://no.test/></iframe>
      <object data=https://a.test/o></object><q cite=https://a.test/q></q><form action=https://no.test/>
      <svg><title/><a xlink:href=https://a.test/g /><style><image href=https://a.test/i></svg><area href=https://a.test/m>
      """
    let found = links(page, as: .html).map { $0.split(separator: "/").last }
    #expect(found == ["1", "2,3", "0", "p", "v", "f", "o", "q", "g", "i", "m"])
  }

  @Test func `relative links need to know where the document is`() {
    let page =
      "<a href=x>1</a><a href='/y#z'>2</a><a href=//b.test/>3</a><a href=#top>4</a><a href=mailto:a@b.test>5</a>"
    #expect(
      links(page, as: .html) == ["1:9 relative x 1", "1:25 relative /y#z 2", "1:44 relative //b.test/ 3"])
    #expect(
      links(page, as: .html, base: "https://a.test/d/e") == [
        "1:9 https://a.test/d/x 1", "1:25 https://a.test/y#z 2", "1:44 https://b.test/ 3",
      ])
  }

  @Test func `the first base counts for the whole document`() {
    let page = "<a href=x>1</a><base target=t><base href=/d/><base href=/no/>"
    #expect(links(page, as: .html) == ["1:9 relative x 1"])
    #expect(links(page, as: .html, base: "https://a.test/") == ["1:9 https://a.test/d/x 1"])
    #expect(
      links("<base href=https://b.test/d/><a href=x>", as: .html, base: "https://a.test/") == [
        "1:38 https://b.test/d/x"
      ])
  }

  @Test func `line ends in a link are dropped, as browsers do`() {
    #expect(links("<a href='https://a.test/\n\tx&#10;y'>", as: .html) == ["1:10 https://a.test/xy"])
  }

  @Test func `a link that leads nowhere fails`() {
    #expect(
      links("<a href=//>", as: .html, base: "https://a.test/") == [
        "1:9 // !line 1 has a link that leads nowhere"
      ])
  }

  @Test func `the text of a link is shortened`() {
    let yield = read("<a href=https://a.test/>\(String(repeating: "é", count: 5_000))</a>", as: .html)
    #expect((190...200).contains(yield.jobs.first?.origin?.text?.utf8.count ?? 0))
  }
}
