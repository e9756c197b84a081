import Foundation
import JSONQuery
import Pages
import Sandbox

/// How fast pages are read, and documents beside Foundation on the same bytes. The best of many runs counts.
/// With `--sandbox` as a decoder does it, without files and sockets. With `--count N` it reads the first page N times and
/// measures nothing: scripts/costs counts the instructions.
@main struct DecodeBench {
  private static let secondsEach: TimeInterval = 1

  static func main() throws {
    if let option = CommandLine.arguments.firstIndex(of: "--count") {
      let count = Int(CommandLine.arguments.dropFirst(option + 1).first ?? "") ?? 0
      let page = SamplePage.all[0].bytes
      print("\(count) pages, \((0..<count).reduce(0) { sum, _ in sum + read(page) }) bytes of titles")
      return
    }
    if CommandLine.arguments.contains("--sandbox") {
      Charset.loadTables()
      _ = try Confinement.confineThreads()
    }
    for page in SamplePage.all {
      let rate = rate(page.bytes.count) { read(page.bytes) }
      let time = (Double(page.bytes.count) / rate * 10).rounded() / 10
      print("\(pad(String(time), to: 8)) µs  \(page.name)")
    }
    print("\nMB/s      parsed  and repeated names looked for  JSONSerialization")
    for sample in SampleDocument.allCases {
      let bytes = sample.bytes
      let data = Data(bytes)
      let parsing = try rate(bytes.count) { try JSONDocument(parsing: bytes).root.count }
      let decoding = try rate(bytes.count) { try JSONDocument(parsing: bytes).duplicateKeys().count }
      let foundation = try rate(bytes.count) {
        try JSONSerialization.jsonObject(with: data) is NSNull ? 1 : 0
      }
      let columns = [(parsing, 8), (decoding, 31), (foundation, 19)].map { pad(String(Int($0.0)), to: $0.1) }
      print(sample.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0) + columns.joined())
    }
  }

  private static func read(_ page: [UInt8]) -> Int {
    PageReader().read(page, contentType: "text/html", url: "https://example.org/a") { reference, base in
      reference.hasPrefix("http") ? reference : base + reference
    }.title?.utf8.count ?? 0
  }

  private static func pad(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// - Parameter work: Returns something, so that it cannot be left out.
  private static func rate(_ bytes: Int, _ work: () throws -> Int) rethrows -> Double {
    let clock = ContinuousClock()
    let end = Date().addingTimeInterval(secondsEach)
    var best = Duration.seconds(3_600)
    var results = 0
    repeat {
      let start = clock.now
      results += try work()
      best = min(best, clock.now - start)
    } while Date() < end
    precondition(results >= 0)
    return Double(bytes) / (best / .microseconds(1))
  }
}
