import Testing

@testable import Pages

/// What a page says of the image of its card.
struct DeclaredImageTests {
  private static let image = "<meta property=og:image content=/a>"

  private static func og(_ name: String, _ content: String) -> String {
    "<meta property='og:image:\(name)' content='\(content)'>"
  }

  private static let rest =
    og("width", "1200") + og("height", "630") + og("type", "image/png") + og("alt", "A  ship")

  private func said(_ html: String) -> [String?] {
    let card = read(html).card
    return [
      card[.image], card.pixels(.imageWidth).map(String.init), card.pixels(.imageHeight).map(String.init),
      card[.imageType],
      card[.imageAlt],
    ]
  }

  private func said(_ image: String, _ facts: String?...) -> [String?] {
    ["https://site.test\(image)"] + facts
  }

  @Test func `size, type and text stand in the card with their sources`() {
    let card = read(Self.image + Self.rest).card
    #expect(said(Self.image + Self.rest) == said("/a", "1200", "630", "image/png", "A ship"))
    for field in [CardField.imageWidth, .imageHeight, .imageType, .imageAlt] {
      #expect(card.sources[field] == .og)
    }
    #expect(said(Self.rest) == [nil, nil, nil, nil, nil])
  }

  @Test func `they belong to the image before them`() {
    let second = "<meta property=og:image content=/b>"
    #expect(said(Self.image + second + Self.rest) == said("/a", nil, nil, nil, nil))
    #expect(said(Self.rest + Self.image + second) == said("/a", nil, nil, nil, nil))
    #expect(
      said(Self.image + Self.og("width", "7") + second + Self.rest) == said("/a", "7", nil, nil, nil))
    #expect(
      said(Self.image + second + Self.image + Self.rest) == said("/a", "1200", "630", "image/png", "A ship"))
    let data = "<meta property=og:image content=data:x>"
    #expect(said(data + Self.og("width", "7") + Self.image) == said("/a", nil, nil, nil, nil))
    #expect(said(Self.image + data + Self.rest) == said("/a", nil, nil, nil, nil))
  }

  @Test func `an image has other addresses, which begin none`() {
    let others = Self.og("url", "/a") + Self.og("secure_url", "https://site.test/s")
    #expect(said(Self.image + others + Self.rest) == said("/a", "1200", "630", "image/png", "A ship"))
    #expect(said(Self.og("secure_url", "/s") + Self.rest) == said("/s", "1200", "630", "image/png", "A ship"))
    let two = Self.og("url", "/u") + Self.og("url", "/v") + Self.rest
    #expect(said(two) == said("/u", nil, nil, nil, nil))
    let secure =
      "<meta property=og:image content=data:x>" + Self.og("secure_url", "/s") + Self.og("width", "7")
    #expect(said(secure) == said("/s", "7", nil, nil, nil))
  }

  @Test func `what is said of one address by several counts once`() {
    let twitter = "<meta name=twitter:image content=/a><meta name=twitter:image:alt content=T>"
    #expect(said(Self.image + Self.og("width", "7") + twitter) == said("/a", "7", nil, nil, "T"))
    #expect(read(Self.image + twitter).card.sources[.imageAlt] == .twitter)
    #expect(said(twitter) == said("/a", nil, nil, nil, "T"))
    #expect(said(Self.image + Self.rest + twitter) == said("/a", "1200", "630", "image/png", "A ship"))
    let elsewhere = "<meta name=twitter:image content=/t><meta name=twitter:image:alt content=T>"
    #expect(said(Self.image + elsewhere) == said("/a", nil, nil, nil, nil))
  }

  @Test(arguments: ["0", "-1", "100001", "1e3", "12.5", "1200px", "wide", "", "99999999999999999999"])
  func `what no image measures is dropped`(width: String) {
    let html = Self.image + Self.og("width", width) + Self.og("height", "100000")
    #expect(said(html) == said("/a", nil, "100000", nil, nil))
  }

  @Test(arguments: [
    (#""width":1200,"height":"630""#, "1200", "630"), (#""width":{"value":7},"height":0"#, "7", nil),
    (#""width":1.5,"height":"8px""#, nil, nil),
  ])
  func `an ImageObject has the size of its own image`(members: String, width: String?, height: String?) {
    let object = #"{"@type":"ImageObject","url":"/a",\#(members)}"#
    let script = #"<script type=application/ld+json>{"@type":"Article","image":[\#(object)]}</script>"#
    #expect(said(script) == said("/a", width, height, nil, nil))
    #expect(said("<head>\(Self.image)\(script)") == said("/a", width, height, nil, nil))
    #expect(said("<head><meta property=og:image content=/b>\(script)") == said("/b", nil, nil, nil, nil))
    #expect(read(script).card.sources[.imageWidth] == width.map { _ in .jsonLD })
  }

  @Test func `images without end are passed over`() {
    let many = (0..<9).map { "<meta property=og:image content=/\($0)>" + Self.og("width", "\($0 + 1)") }
      .joined()
    #expect(said(many) == said("/0", "1", nil, nil, nil))
    let alt = read(Self.image + Self.og("alt", String(repeating: "x", count: 9_000))).card[.imageAlt]
    #expect(alt.map { $0.utf8.count <= PageLimits().shortTextBytes } == true)
  }
}
