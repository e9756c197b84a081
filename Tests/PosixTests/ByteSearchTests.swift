import Posix
import Testing

/// Blocks of bytes are compared at once, so each place in and behind a block is tried.
@Suite
struct ByteSearchTests {
  @Test func `a letter is found in either case wherever it stands, and nothing else is taken for it`() {
    for count in [0, 1, 255, 256, 257, 600] {
      let text = [UInt8](repeating: UInt8(ascii: "p"), count: count)
      #expect(text.span.firstIndex(ofLetter: UInt8(ascii: "q"), from: 0) == count)
      for place in 0..<count {
        var found = text
        found[place] = place.isMultiple(of: 2) ? UInt8(ascii: "q") : UInt8(ascii: "Q")
        #expect(found.span.firstIndex(ofLetter: UInt8(ascii: "q"), from: 0) == place)
        #expect(found.span.firstIndex(ofLetter: UInt8(ascii: "q"), from: place) == place)
        #expect(found.span.firstIndex(ofLetter: UInt8(ascii: "q"), from: place + 1) == count)
      }
    }
  }

  @Test func `what a JSON string escapes is found wherever it stands`() {
    for count in [0, 1, 15, 16, 17, 40] {
      let text = [UInt8](repeating: 0xFF, count: count)
      #expect(text.span.firstIndexOfEscaped(from: 0) == count)
      for place in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var found = text
          found[place] = byte
          let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
          #expect(found.span.firstIndexOfEscaped(from: 0) == (isEscaped ? place : count))
          #expect(found.span.firstIndexOfEscaped(from: place + 1) == count)
        }
      }
    }
  }
}
