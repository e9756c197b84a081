import JSONQuery
import Pages
import Testing

@testable import Roles

struct PageWarningTests {
  private func row(_ warnings: [PageWarning]) -> String {
    var row = JSONWriter()
    row.beginObject()
    row.member("warnings", warnings.map(\.message))
    row.endObject()
    return String(decoding: row.bytes, as: UTF8.self)
  }

  @Test func `a row tells what its page's charset lost`() {
    #expect(row([]) == "{}")
    #expect(
      row([.charsetUnavailable(.eucKR)]).hasPrefix(
        #"{"warnings":["charset_unavailable: the C library has no "#))
  }
}
