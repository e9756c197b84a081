import Testing

@testable import Roles

/// A producer holds back when rows are large.
struct SubmissionWindowTests {
  @Test func `it starts small and widens with the rows that were written`() {
    var window = SubmissionWindow(start: 256, most: 8_192)
    #expect(window.size == 256)
    window.wrote(rows: 1_000)
    #expect(window.size == 256 + 1_000)
    window.wrote(rows: 1_000_000)
    #expect(window.size == 8_192)
  }

  @Test func `large rows narrow it to what the budget holds`() {
    var window = SubmissionWindow(start: 256, most: 8_192)
    window.wrote(rows: 8_192)
    window.arrived(rowOfBytes: 64 << 10)
    #expect(window.size == 1_024)
    window.arrived(rowOfBytes: 8 << 20)
    #expect(window.size == 8)
    window.arrived(rowOfBytes: 1 << 30)
    #expect(window.size == 1)
  }

  @Test func `it widens again once rows are small`() {
    var window = SubmissionWindow(start: 256, most: 8_192)
    window.wrote(rows: 8_192)
    window.arrived(rowOfBytes: 8 << 20)
    for _ in 0..<1_000 { window.arrived(rowOfBytes: 700) }
    #expect(window.size == 8_192)
  }
}
