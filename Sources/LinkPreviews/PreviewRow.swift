package import JSONQuery
internal import Pipeline

/// What became of a link, as its row tells it.
package struct PreviewRow: Sendable {
  package let root: JSONValue
  /// Why nothing can be shown of it; nil also for a page without a title, of which there is the rest.
  package let problem: Problem?

  /// - Parameter json: A row.
  package init(_ json: [UInt8]) {
    do throws(JSONError) {
      root = try JSONDocument(parsing: json, limits: .around).root
      problem = Problem(row: root)
    } catch {
      // An empty object stands for what cannot be read.
      root = Self.nothing
      problem = Problem(.underlying, "a row is not JSON: \(error)")
    }
  }

  /// Of a link that was not looked at.
  package init(_ problem: Problem) { (root, self.problem) = (Self.nothing, problem) }

  private static let nothing: JSONValue = {
    do { return try JSONDocument(parsing: Array("{}".utf8)).root } catch { preconditionFailure("\(error)") }
  }()

  /// Where the link leads; the link itself when that is not known.
  package var url: String { text("url") ?? text("input") ?? "" }
  package var title: String? { card("title") ?? text("title") }
  /// How old the answer was already when it came; 0 for what was just fetched.
  package var ageMilliseconds: Int64 { (root["age"]?.int64 ?? 0) * 1_000 }
  package var milliseconds: Int64? { root["ms"]?.int64 }

  package func text(_ member: String) -> String? { Self.filled(root[member]?.string) }
  package func card(_ field: String) -> String? { Self.filled(root["card"]?[field]?.string) }
  package func embed(_ field: String) -> String? { Self.filled(root["card"]?["embed"]?[field]?.string) }

  /// The redirects, each in a line.
  var steps: [String] {
    root["hops"]?.elements.map { hop in
      let status = hop["status"]?.numberText ?? ""
      return "\(status) \(hop["url"]?.string ?? "") (\(hop["via"]?.string ?? "no way on"))"
    } ?? []
  }

  var author: String? { embed("author_name") ?? card("author") }

  /// As the page declares it.
  var imageSize: (width: Int64, height: Int64)? {
    guard let width = root["card"]?["image_width"]?.int64, let height = root["card"]?["image_height"]?.int64
    else { return nil }
    return (width, height)
  }

  /// Such as `example.org`.
  var host: String? {
    let parts = url.split(separator: "/", maxSplits: 2)
    return parts.count > 1 ? String(parts[1]) : nil
  }

  private static func filled(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
}
