import Testing

@testable import Roles

/// A producer holds back when rows are large.
struct SubmissionWindowTests {
  @Test func `small rows leave the window as wide as it was set`() {
    var window = SubmissionWindow(most: 8_192)
    for _ in 0..<1_000 { window.arrived(rowOfBytes: 700) }
    #expect(window.size == 8_192)
  }

  @Test func `large rows narrow it to what the budget holds`() {
    var window = SubmissionWindow(most: 8_192)
    window.arrived(rowOfBytes: 64 << 10)
    #expect(window.size == 1_024)
    window.arrived(rowOfBytes: 8 << 20)
    #expect(window.size == SubmissionWindow.least)
  }

  @Test func `it widens again once rows are small`() {
    var window = SubmissionWindow(most: 8_192)
    window.arrived(rowOfBytes: 8 << 20)
    for _ in 0..<1_000 { window.arrived(rowOfBytes: 700) }
    #expect(window.size == 8_192)
  }
}
