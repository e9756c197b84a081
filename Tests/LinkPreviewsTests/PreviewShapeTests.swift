import JSONQuery
import Pipeline
import Testing

@testable import LinkPreviews

/// Answers as the clients read them that there are.
struct PreviewShapeTests {
  private static let row = """
    {"schema":"halyard.result/1","id":"1","batch":"2","ordinal":0,"kind":"title","input":"https://s.test/x","status":"ok",\
    "url":"https://a.test/x","http_status":200,"hops":[{"url":"https://s.test/x","status":301,"via":"location"}],\
    "fetched_at":"2026-11-27T00:00:00.000Z","title":"Page","card":{"title":"Card","description":"D","image":"https://a.test/i.png",\
    "site_name":"A","icon":"https://a.test/f.ico","author":"Ann","sources":{"image":"twitter"}},"attempts":1,"ms":5}
    """

  private func body(_ shape: PreviewShape, _ row: String = row) throws -> JSONValue {
    let body = JSONWriter.object { shape.write(PreviewRow(Array(row.utf8)), cacheSeconds: 60, to: &$0) }
    return try JSONDocument(parsing: body).root
  }

  @Test func `a preview has what the row has of the link, and nothing of the batch`() throws {
    let body = try body(.row)
    #expect(body.members.map(\.key) == ["link", "url", "http_status", "hops", "fetched_at", "title", "card"])
    #expect(try self.body(.title)["card"] == nil)
  }

  /// Outline, `plugins/iframely/server/iframely.ts`.
  @Test func `Outline reads title, description, thumbnail and icon of the grouped shape`() throws {
    let body = try body(.iframelyGrouped)
    #expect(body["meta"]?["title"]?.string == "Card")
    #expect(body["meta"]?["description"]?.string == "D")
    #expect(body["url"]?.string == "https://a.test/x")
    #expect(
      body["links"]?["thumbnail"]?.elements.first { _ in true }?["href"]?.string == "https://a.test/i.png")
    #expect(body["links"]?["icon"]?.elements.first { _ in true }?["href"]?.string == "https://a.test/f.ico")
  }

  /// Obsidian's Excalidraw plugin and others.
  @Test func `Obsidian's plugins find an image in the flat shape by its type and relation`() throws {
    let links = Array(try #require(try body(.iframelyFlat)["links"]).elements)
    #expect(links.first?["href"]?.string == "https://a.test/i.png")
    let image = links.first { link in
      link["type"]?.string?.hasPrefix("image") == true
        && link["rel"]?.elements.contains { $0.string == "twitter" } == true
    }
    #expect(image?["href"]?.string == "https://a.test/i.png")
  }

  /// They look for the image that Twitter would show, which may be the one of Open Graph.
  @Test func `an image of Open Graph is the one for Twitter, and others are not`() throws {
    for (source, rel) in [("og", ["thumbnail", "og", "twitter"]), ("json_ld", ["thumbnail", "json_ld"])] {
      let row = Self.row.replacing(#""image":"twitter""#, with: #""image":"\#(source)""#)
      let links = try #require(try body(.iframelyFlat, row)["links"]).elements
      #expect(links.first { _ in true }?["rel"]?.elements.compactMap(\.string) == rel)
    }
  }

  @Test func `oEmbed has a thumbnail only with both sizes`() throws {
    let body = try body(.oembed)
    #expect(body["type"]?.string == "link" && body["version"]?.string == "1.0")
    #expect(body["author_name"]?.string == "Ann" && body["provider_name"]?.string == "A")
    #expect(body["provider_url"]?.string == "https://a.test/")
    #expect(body["thumbnail_url"] == nil)
    let sized = Self.row.replacing(#""icon""#, with: #""image_width":600,"image_height":315,"icon""#)
    #expect(try self.body(.oembed, sized)["thumbnail_width"]?.int64 == 600)
  }

  @Test func `a page without a title still has a preview, and other failures are problems`() throws {
    let untitled =
      #"{"input":"x","url":"https://a.test/","card":{"icon":"i"},"error":{"kind":"missing_page_title","message":"m"}}"#
    #expect(PreviewRow(Array(untitled.utf8)).problem == nil)
    let failed =
      #"{"input":"x","http_status":404,"error":{"kind":"http_status","message":"m","retryable":false}}"#
    let problem = try #require(PreviewRow(Array(failed.utf8)).problem)
    #expect(problem.status == 502 && problem.serversStatus == 404)
    #expect(problem.iframely.status == 404)
    let json = try JSONDocument(parsing: problem.json(root: "../", id: "1")).root
    #expect(json["type"]?.string == "../problems/http_status")
    #expect(json["title"]?.string == "HTTP status")
    #expect(
      [FailureKind.dns, .notHTML, .timeout].map { Problem($0, "").title } == ["DNS", "Not HTML", "Timeout"])
  }

  @Test(
    arguments: [
      (
        "fetch http://a.test/: address 10.0.0.1 is refused (private); allow it with --allow-address 10.0.0.1:80",
        "fetch http://a.test/: address 10.0.0.1 is refused (private)"
      ),
      ("fetch http://a.test/a;b: links of a.test are not fetched here", nil), ("a; b; c", nil),
    ] as [(String, String?)])
  func `which option to set is not told to who asks, who has none`(_ message: String, _ told: String?) {
    let row = #"{"input":"x","error":{"kind":"blocked_address","message":"\#(message)"}}"#
    #expect(PreviewRow(Array(row.utf8)).problem?.detail == told ?? message)
    #expect(!PreviewCard(PreviewRow(Array(row.utf8))).html.contains("--"))
  }

  @Test func `every kind of failure has a status of its own side`() {
    for kind in FailureKind.allCases {
      #expect([400, 403, 422, 500, 502, 503, 504].contains(kind.traits.httpStatus))
    }
  }
}
