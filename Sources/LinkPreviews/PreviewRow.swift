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
      problem = Problem(.underlying, "a row is not JSON: \(error)", status: 500)
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
  package var fetchedAt: String? { text("fetched_at") }
  /// How old the answer was already when it came; 0 for what was just fetched.
  package var ageMilliseconds: Int64 { (root["age"]?.int64 ?? 0) * 1_000 }
  package var milliseconds: Int64? { root["ms"]?.int64 }

  package func text(_ member: String) -> String? { Self.filled(root[member]?.string) }
  package func card(_ field: String) -> String? { Self.filled(root["card"]?[field]?.string) }
  package func cardNumber(_ field: String) -> Int64? { root["card"]?[field]?.int64 }
  package func embed(_ field: String) -> String? { Self.filled(root["card"]?["embed"]?[field]?.string) }

  /// Such as `og`.
  package func source(of field: String) -> String? { root["card"]?["sources"]?[field]?.string }

  /// Such as `https://example.org/`.
  package var site: String? {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    return parts.count > 1 ? "\(parts[0])//\(parts[1])/" : nil
  }

  private static func filled(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
}
