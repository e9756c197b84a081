import Testing

@testable import Pages
@testable import struct Pages.LinkedData
@testable import struct Pages.LinkedDataFacts

struct LinkedDataTests {
  private func card(_ json: String, type: String = "application/ld+json", with more: String = "") -> Card {
    read("<head>\(more)<script type='\(type)'>\(json)</script></head>").card
  }

  @Test func `JSON-LD fills what nothing else says`() {
    let card = card(
      """
      {"@context":"https://schema.org","@type":"NewsArticle","headline":"H & T","description":"D","image":"/i.png",
       "author":{"@type":"Person","name":"Ann"},"datePublished":"2024-05-06","dateModified":"2024-05-07",
       "publisher":{"@type":"Organization","name":"Paper"},"inLanguage":"de"}
      """)
    #expect(card[.title] == "H & T")
    #expect(card[.description] == "D")
    #expect(card[.image] == "https://site.test/i.png")
    #expect(card[.author] == "Ann")
    #expect(card[.published] == "2024-05-06")
    #expect(card[.modified] == "2024-05-07")
    #expect(card[.siteName] == "Paper")
    #expect(card[.type] == "NewsArticle")
    #expect(card[.language] == "de")
    let fields: [CardField] = [
      .title, .description, .image, .author, .published, .modified, .siteName, .type, .language,
    ]
    for field in fields { #expect(card.sources[field] == .jsonLD, "\(field)") }
  }

  @Test(arguments: [
    ("a list", #"[{"@type":"Article","name":"T"}]"#),
    ("a list in a list", #"[[{"@type":"Article","name":"T"}]]"#),
    ("a graph", #"{"@graph":[{"@type":"WebSite","name":"no"},{"@type":"Article","headline":"T"}]}"#),
    ("a graph that is one node", #"{"@graph":{"@type":"Article","headline":"T"}}"#),
    ("a value with a language", #"{"@type":"Article","headline":{"@value":"T","@language":"en"}}"#),
    ("a list of values", #"{"@type":"Article","headline":["",{"@value":"T"},"no"]}"#),
    ("several types", #"{"@type":["Thing","BlogPosting"],"headline":"T"}"#),
    ("a type as an address", #"{"@type":"https://schema.org/Article","headline":"T"}"#),
    ("a type with a prefix", #"{"@type":"schema:Article","headline":"T"}"#),
    ("the article before the page", #"[{"@type":"WebPage","name":"no"},{"@type":"Article","headline":"T"}]"#),
    ("the work before the page", #"[{"@type":"WebPage","name":"no"},{"@type":"Product","name":"T"}]"#),
    ("the first of two articles", #"[{"@type":"Article","name":"T"},{"@type":"Article","name":"no"}]"#),
    ("no part of a page", #"[{"@type":"Person","name":"no"},{"@type":"WebPage","name":"T"}]"#),
    ("the headline before the name", #"{"@type":"Article","name":"no","headline":"T"}"#),
    ("a blank headline", #"{"@type":"Article","name":"T","headline":" "}"#),
    ("white space", #"{"@type":"Article","headline":" \n T\t"}"#),
    ("CDATA in comments", "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"T\"}\n//]]>"),
    ("CDATA in block comments", "/*<![CDATA[*/{\"@type\":\"Article\",\"headline\":\"T\"}/*]]>*/"),
    ("CDATA alone", "<![CDATA[{\"@type\":\"Article\",\"headline\":\"T\"}]]>"),
    ("a comment", "<!-- {\"@type\":\"Article\",\"headline\":\"T\"} -->"),
    ("a semicolon", "{\"@type\":\"Article\",\"headline\":\"T\"};"),
    ("a byte order mark", "\u{FEFF}{\"@type\":\"Article\",\"headline\":\"T\"}"),
    (
      "a broken one before",
      "{\"@type\":</script><script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"T\"}"
    ),
    ("a doubled name", #"{"@type":"Article","headline":"no","headline":"T"}"#),
  ])
  func `a title is found in`(what: String, json: String) {
    let facts = read("<script type='application/ld+json'>\(json)</script><h1>no</h1>")
    #expect(facts.title == "T")
    #expect(facts.titleSource == .jsonLD)
  }

  @Test(arguments: [
    ("broken JSON", #"{"@type":"Article","headline":"no","#),
    ("no JSON", "var a = 1"),
    ("an empty script", ""),
    ("wrapping alone", "<!--//-->"),
    ("no type", #"{"headline":"no"}"#),
    ("part of a page", #"{"@type":"Person","name":"no"}"#),
    ("the site", #"{"@type":"WebSite","name":"no"}"#),
    ("a number", #"{"@type":"Article","headline":1}"#),
    ("an object", #"{"@type":"Article","headline":{"a":"no"}}"#),
    ("a type that is a number", #"{"@type":1,"headline":"no"}"#),
    ("a scalar", #""no""#),
  ])
  func `no title is found in`(what: String, json: String) {
    #expect(card(json)[.title] == nil)
  }

  @Test(arguments: [
    ("a string", #""https://a.test/i""#, "https://a.test/i"),
    ("a list", #"["/a","/b"]"#, "https://site.test/a"),
    ("an object", #"{"@type":"ImageObject","url":"/a"}"#, "https://site.test/a"),
    ("a list of objects", #"[{"contentUrl":"/a"}]"#, "https://site.test/a"),
    ("a value", #"{"@value":"/a"}"#, "https://site.test/a"),
    ("an id", ##"{"@id":"#i"}"##, "https://site.test/by-id"),
    ("a list in a list", #"[[{"url":"/a"}]]"#, "https://site.test/a"),
    (
      "a list of addresses in an object", #"{"@type":"ImageObject","url":["/a","/b"]}"#, "https://site.test/a"
    ),
    ("an object that is a list", #"{"@list":["/a"]}"#, "https://site.test/a"),
  ])
  func `an image is found in`(what: String, image: String, address: String) {
    let json = """
      [{"@type":"Article","image":\(image)},{"@id":"#i","@type":"ImageObject","url":"/by-id"}]
      """
    #expect(card(json)[.image] == address)
  }

  @Test(arguments: [
    ("a string", #""Ann""#), ("an object", #"{"name":"Ann"}"#), ("a list", #"[{"name":"Ann"},"Bob"]"#),
    ("a name behind an address", #"["https://a.test/ann","Ann"]"#), ("an id", ##"{"@id":"#ann"}"##),
    ("a value", #"{"@value":"Ann"}"#), ("a list in a list", #"[[{"name":"Ann"}],"Bob"]"#),
    ("a list of names", #"{"name":["Ann","A."]}"#),
    ("a name behind an id", #"["1234",{"name":"567"},"Ann"]"#),
    ("an object that is a set", #"{"@set":[{"name":"Ann"}]}"#),
  ])
  func `an author is found in`(what: String, author: String) {
    let json =
      ##"{"@graph":[{"@type":"Article","author":\##(author)},{"@id":"#ann","@type":"Person","name":"Ann"}]}"##
    #expect(card(json)[.author] == "Ann")
  }

  @Test(arguments: [
    ("a string", #""en""#, "en"),
    ("an object", #"{"@type":"Language","name":"English","alternateName":"en"}"#, "en"),
    ("a tag for a name", #"{"@type":"Language","name":"pt-BR"}"#, "pt-BR"),
    ("a name alone", #"{"@type":"Language","name":"English"}"#, nil),
    ("a list", #"[{"name":"German","alternateName":["Deutsch","de"]},"en"]"#, "de"),
    ("an id", ##"{"@id":"#l"}"##, "fr"), ("a number", "1", nil),
  ])
  func `a language is found in`(what: String, language: String, tag: String?) {
    let json =
      ##"[{"@type":"Article","inLanguage":\##(language)},{"@id":"#l","@type":"Language","alternateName":"fr"}]"##
    #expect(card(json)[.language] == tag)
  }

  @Test(arguments: [
    #"[[{"@type":"Organization","name":"Paper"}]]"#, #"[[],[["Paper"]]]"#, #"{"name":[["Paper"]]}"#,
    #"["https://a.test/",{"name":"Paper"}]"#,
  ])
  func `a publisher is found in lists`(publisher: String) {
    #expect(card(#"{"@type":"Article","publisher":\#(publisher)}"#)[.siteName] == "Paper")
  }

  @Test func `lists are followed three deep`() {
    #expect(card(#"{"@type":"Article","publisher":[[[["Paper"]]]]}"#)[.siteName] == nil)
  }

  @Test func `the site is named by its own node`() {
    #expect(
      card(#"{"@graph":[{"@type":"WebSite","name":"Site"},{"@type":"WebPage","name":"Page"}]}"#)[.siteName]
        == "Site")
  }

  @Test func `what the page says elsewhere comes first`() {
    let card = card(
      #"{"@type":"Article","headline":"no","description":"no","datePublished":"2024-05-06"}"#,
      with: "<title>T</title><meta name=description content=D>")
    #expect(card[.title] == "T")
    #expect(card[.description] == "D")
    #expect(card.sources[.title] == .title)
    #expect(card[.published] == "2024-05-06")
  }

  @Test(arguments: ["APPLICATION/LD+JSON", " application/ld+json; charset=utf-8 "])
  func `the script's type has any case and parameters`(type: String) {
    #expect(card(#"{"@type":"Article","headline":"T"}"#, type: type)[.title] == "T")
  }

  @Test func `other scripts and templates say nothing`() {
    let json = #"{"@type":"Article","headline":"no"}"#
    #expect(card(json, type: "application/json")[.title] == nil)
    #expect(
      read("<template><script type=application/ld+json>\(json)</script></template>").card[.title] == nil)
  }

  @Test(arguments: [(196, "Ann"), (197, nil)])
  func `an object of too many members is not referred to`(others: Int, author: String?) {
    let members = (0..<others).map { #""m\#($0)":1,"# }.joined()
    let json =
      ##"[{"@type":"Article","author":{"@id":"#a"}},{"@id":"#a",\##(members)"@type":"Person","x":1,"name":"Ann"}]"##
    #expect(card(json)[.author] == author)
  }

  @Test func `an id that leads back to itself is passed over`() {
    let loop = ##"{"@id":"#a","@type":"Article","author":{"@id":"#a"},"image":{"@id":"#b"}}"##
    #expect(card(loop)[.title] == nil)
  }

  @Test(arguments: [
    #"{"@type":"Article"},"#, #"[{"@type":"Article"},{"@type":"Article"}],"#, "[", "[[],", #"{"@graph":["#,
    #"{"@type":"Article","name":{"a":1,"b":2}},"#,
    ##"{"@type":"Article","author":{"@id":"#a"}},"##, ##"{"@id":"#a","@type":"Person"},"##, "//", "1,",
    "\"\",",
  ])
  func `nesting, numbers and ids without end cost no more than their length`(piece: String) {
    expectLinearTime(from: 1_000) { count in
      let json = "[" + String(repeating: piece, count: count) + "1]"
      let script = [Array(json.utf8)]
      return {
        #expect(LinkedData(script).nodes.count <= 500)
        #expect(LinkedDataFacts(script, limits: PageLimits())[.title] == nil)
      }
    }
  }

  @Test(arguments: [#""a":1,"#, #""@type":"Article","#, #""author":{"@id":"b"},"#])
  func `nor do members without end`(piece: String) {
    expectLinearTime(from: 1_000) { count in
      let json = #"{"@id":"x","@type":"Article","# + String(repeating: piece, count: count) + #""z":1}"#
      let script = [Array(json.utf8)]
      return { #expect(LinkedDataFacts(script, limits: PageLimits())[.title] == nil) }
    }
  }
}
