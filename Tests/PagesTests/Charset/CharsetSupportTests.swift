import Testing

@testable import Pages

/// Systems whose C library lacks tables, as minimal containers do.
struct CharsetSupportTests {
  private static let none = CharsetSupport { _ in false }

  private func warnings(of body: [UInt8], as charset: String, on support: CharsetSupport = none)
    -> [PageWarning]
  {
    PageReader(support: support).read(
      body, contentType: "text/html; charset=\(charset)", url: pageURL, resolve: resolve
    ).warnings
  }

  @Test(arguments: ["big5", "euc-kr", "gbk", "gb18030", "shift_jis", "euc-jp"])
  func `a page in a charset without a table says so`(name: String) throws {
    let body = Array("<title>".utf8) + [0xB0, 0xA1]
    let charset = try #require(Charset(rawValue: name))
    #expect(warnings(of: body, as: name) == [.charsetUnavailable(charset)])
    #expect(warnings(of: body, as: name, on: .system) == [])
    #expect(warnings(of: Array("<title>ASCII".utf8), as: name) == [])
  }

  @Test func `ISO-2022-JP needs its table for ASCII bytes too`() {
    #expect(warnings(of: Array("<p>".utf8), as: "iso-2022-jp") == [.charsetUnavailable(.iso2022JP)])
  }

  @Test func `a table that the C library lacks is known to be missing`() {
    let absent = PairIndex(of: "HALYARD-NO-SUCH-TABLE", leads: 0x81...0xFE, trails: 0x41...0xFE)
    #expect(!absent.isAvailable)
    #expect(absent[0xB0, 0xA1] == nil)
    #expect(PairIndex.eucKR.isAvailable)
    #expect(PairIndex.eucKR[0xB0, 0xA1] == 0xAC00)
  }

  @Test(arguments: Charset.allCases)
  func `this system has every table`(charset: Charset) {
    #expect(CharsetSupport.system.hasTables(charset))
  }

  @Test func `a warning says what to install`() {
    #expect(
      PageWarning.charsetUnavailable(.big5).message
        == "charset_unavailable: the C library has no table for big5, so the page's characters beyond ASCII are lost; install its converters (libc6 on Debian, glibc-gconv-extra on Fedora)"
    )
  }
}
