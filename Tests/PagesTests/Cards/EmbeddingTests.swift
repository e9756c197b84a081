import Testing

@testable import Pages

/// What is taken of an oEmbed answer, and what is not.
struct EmbeddingTests {
  private func read(_ json: String) throws -> Embedding {
    try Embedding(parsing: Array(json.utf8)) { reference in
      reference.contains(":") ? reference : "https://b.test/\(reference)"
    }
  }

  @Test func `every field is taken, with the rules of its form`() throws {
    let found = try read(
      #"""
      {"type":"photo","version":"1.0","title":" A &amp;\n B ","author_name":"Ann","author_url":"ann",
       "provider_name":"B","provider_url":"https://b.test/","url":"p.jpg","thumbnail_url":"http://b.test/t.jpg",
       "thumbnail_width":"480","thumbnail_height":360,"width":0,"height":100000,"html":"<b>&amp;</b>"}
      """#)
    #expect(
      found.texts == [
        .type: "photo", .title: "A & B", .authorName: "Ann", .authorURL: "https://b.test/ann",
        .providerName: "B", .providerURL: "https://b.test/", .url: "https://b.test/p.jpg",
        .thumbnailURL: "http://b.test/t.jpg", .html: "<b>&amp;</b>",
      ])
    #expect(
      found.pixels == [.thumbnailWidth: 480, .thumbnailHeight: 360, .width: 0, .height: 100_000])
  }

  @Test(arguments: [
    #""author_url":"javascript:alert(1)""#, #""thumbnail_url":"data:image/png,x""#, #""url":"ftp://b.test/""#,
    #""author_url":" ""#, #""author_url":7"#, #""title":["x"]"#, #""author_name":null"#,
    #""author_name":" ""#,
    #""html":7"#, #""width":"100%""#, #""width":-1"#, #""width":100001"#, #""width":1.5"#, #""height":1e99"#,
  ])
  func `a value that is none of its form is left out`(member: String) throws {
    let found = try read(#"{"type":"link",\#(member)}"#)
    #expect(found.texts == [.type: "link"])
    #expect(found.pixels.isEmpty)
  }

  @Test func `markup of more than 4 KiB is left out, and other texts are cut`() throws {
    func answer(_ count: Int) -> String {
      let long = String(repeating: "x", count: count)
      return #"{"title":"\#(long)","author_name":"\#(long)","html":"\#(long)"}"#
    }
    #expect(try read(answer(4_096)).texts[.html]?.utf8.count == 4_096)
    let found = try read(answer(4_097))
    #expect(found.texts[.html] == nil)
    #expect(found.texts[.title].map { $0.utf8.count <= PageLimits().titleBytes } == true)
    #expect(found.texts[.authorName].map { $0.utf8.count <= PageLimits().shortTextBytes } == true)
  }

  @Test(arguments: ["{}", "[]", "7", "null", #"{"version":"1.0"}"#, #"{"width":7}"#])
  func `what has none of the texts says nothing`(json: String) {
    #expect(throws: Embedding.Fault.saysNothing) { try read(json) }
  }

  @Test(arguments: [
    "", "<p>", #"{"type":"link""#, String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    "[\(String(repeating: "1,", count: 10_000))1]",
  ])
  func `what is no JSON, or too much of it, is told as that`(json: String) {
    do {
      _ = try read(json)
      Issue.record("\(json.prefix(20)) was read")
    } catch Embedding.Fault.notJSON(let why) {
      #expect(!why.isEmpty)
    } catch {
      Issue.record(error)
    }
  }

  @Test(
    arguments: [
      (
        #"{"type":"video","thumbnail_url":"t","thumbnail_width":480,"thumbnail_height":"360","width":9}"#,
        480, 360
      ),
      (#"{"type":"video","thumbnail_url":"t","thumbnail_width":0,"thumbnail_height":1}"#, nil, 1),
      (#"{"type":"photo","url":"p","width":7,"height":8,"thumbnail_width":9}"#, 7, 8),
      (#"{"type":"photo","url":"p","width":7,"height":8,"thumbnail_url":"t","thumbnail_width":9}"#, 9, nil),
      (#"{"type":"video","url":"v","width":7,"height":8}"#, nil, nil),
    ] as [(String, Int?, Int?)])
  func `an image of the answer has the size that the answer says`(json: String, width: Int?, height: Int?)
    throws
  {
    var card = Card()
    card.take(try read(json))
    #expect((card.pixels(.imageWidth), card.pixels(.imageHeight)) == (width, height))
    #expect(card.sources[.imageWidth] == width.map { _ in .oembed })
    var own = Card()
    own.offer(.image, "https://a.test/own", from: .og)
    own.take(try read(json))
    #expect((own.pixels(.imageWidth), own.pixels(.imageHeight)) == (nil, nil))
  }

  @Test func `an answer fills only what the card has not, and a photo is an image`() throws {
    var card = Card()
    card.take(try read(#"{"type":"photo","url":"p.jpg","title":"T","author_name":"Ann"}"#))
    #expect(card[.image] == "https://b.test/p.jpg")
    #expect(card.sources == [.embed: .oembed, .image: .oembed, .title: .oembed, .author: .oembed])
    card.take(try read(#"{"type":"video","url":"v","title":"U","provider_name":"B"}"#))
    #expect((card[.title], card[.author], card[.siteName]) == ("T", "Ann", "B"))
    var video = Card()
    video.take(try read(#"{"type":"video","url":"v.mp4"}"#))
    #expect(video[.image] == nil)
  }
}
