import Foundation
import Testing

@testable import Pages

/// Every page of a folder, read by the scan and by the oracle; `scripts/oracle` names the folder.
struct CorpusTests {
  private static let folder = ProcessInfo.processInfo.environment["HALYARD_CORPUS"]

  @Test(.enabled(if: folder != nil), .timeLimit(.minutes(60)))
  func `every page of a folder is read as the tree says`() throws {
    let folder = try #require(Self.folder)
    var counts: [String: Int] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      guard name.contains(".htm"),
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
      else { continue }
      for finding in Self.compare(Array(data)) {
        counts[finding.counted, default: 0] += 1
        if let difference = finding.difference { print("\(finding.counted): \(name): \(difference)") }
        #expect(finding.isExplained, "\(name): \(finding.difference ?? "")")
      }
    }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(what): \(count)") }
    #expect((counts["pages"] ?? 0) > 0, "no page in \(folder)")
  }

  private struct Finding {
    var counted: String
    var difference: String?
    var isExplained = true
  }

  private static func compare(_ body: [UInt8]) -> [Finding] {
    let facts = read(body, contentType: "text/html")
    let charset = Charset(rawValue: facts.charset) ?? .utf8
    let utf8 = TextDecoding.utf8(from: body, charset: charset)
    let comparison = Comparison(utf8)
    var findings = [Finding(counted: "pages"), Finding(counted: "in \(charset.rawValue)")]
    if comparison.theirs.title?.collapsed != nil { findings.append(Finding(counted: "with a title")) }
    // What a user gets, which stops early, has the same title.
    let own = facts.titleSource == .title ? facts.title : nil
    let whole = comparison.ours.title?.cut(toBytes: PageLimits().titleBytes)
    if own != whole {
      findings.append(
        Finding(counted: "stopped early", difference: "\(own ?? "") and \(whole ?? "")", isExplained: false))
    }
    for difference in comparison.differences {
      let cause = KnownCause.of(difference, on: utf8)
      findings.append(
        Finding(
          counted: cause.map { "explained: \($0.rawValue)" } ?? "not explained", difference: difference,
          isExplained: cause != nil))
    }
    return findings
  }
}

/// Why our answer differs from gumbo's and is meant.
enum KnownCause: String {
  /// Gumbo replaces control characters; the standard keeps them.
  case controls = "control characters are kept"
  /// Pages written for XHTML name their language only so; gumbo is asked for `lang`.
  case xmlLanguage = "xml:lang counts where lang is missing"

  static func of(_ difference: String, on page: [UInt8]) -> KnownCause? {
    if difference.hasPrefix("language:"), String(decoding: page, as: UTF8.self).contains("xml:lang") {
      return .xmlLanguage
    }
    let isControl: (UInt8) -> Bool = { $0 < 0x20 && ![0, 9, 10, 12, 13].contains($0) }
    return page.contains(where: isControl) ? .controls : nil
  }
}
