import Pipeline
import Testing

@testable import HalyardCLI

/// `FailureKinds.md`, which users and the pages of problems read, against the table that the program goes by.
struct FailureKindsTests {
  @Test func `the documentation has each kind once, with what follows from it`() {
    let page = String(decoding: PackageResources.FailureKinds_md, as: UTF8.self)
    let table = page.prefix(upTo: page.firstRange(of: "\n### ")?.lowerBound ?? page.endIndex)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: " | ").map { $0.trimmingPrefix("| ") }
    }
    #expect(Set(rows.map { String($0[0]) }) == Set(FailureKind.allCases.map { "`\($0.rawValue)`" }))
    #expect(rows.count == FailureKind.allCases.count)
    for kind in FailureKind.allCases {
      let row = rows.first { $0[0] == "`\(kind.rawValue)`" }
      #expect(row?.dropFirst(2).prefix(3).map(String.init) == Self.facts(of: kind), "\(kind.rawValue)")
    }
  }

  private static func facts(of kind: FailureKind) -> [String] {
    let retried =
      switch kind.traits.retryClass {
      case .never: "no"
      case .transient: "yes"
      case .dependsOnCause: "by cause"
      }
    return [retried, kind.traits.caching == .kept ? "yes" : "no", "\(kind.traits.httpStatus)"]
  }
}
