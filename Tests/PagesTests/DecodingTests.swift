import Iconv
import Testing

@testable import Pages

struct DecodingTests {
  @Test(arguments: [
    ("shift_jis", "93fa967b8cea8365835883678740b6c5955c8160", "日本語テスト①ｶﾅ表～"),
    ("euc-jp", "c6fccbdcb8eca5c6a5b9a5c8b4c1bbfa", "日本語テスト漢字"),
    ("iso-2022-jp", "1b2442467c4b5c386c2546253925481b2842", "日本語テスト"),
    ("euc-kr", "c7d1b1b9beee208c63b9e6b0a2c7cf", "한국어 똠방각하"),
    ("gbk", "bcf2cce5d6d0cec49c79d487", "简体中文測試"),
    ("gb18030", "d6d0cec495328236a8a6", "中文𠀀é"),
    ("big5", "c163c5e9a4a4a4e5adbbb4e49def", "繁體中文香港嘅"),
    ("koi8-r", "f2d5d3d3cbc9ca20d4c5cbd3d4", "Русский текст"),
    ("koi8-u", "f5cbd2c1a7ced3d8cbc120a7d6c1cb", "Українська їжак"),
    ("windows-1251", "cff0e8e2e5f22c20ece8f0", "Привет, мир"),
    ("windows-1250", "8e6c759d6f75e86bfd206bf9f2", "Žluťoučký kůň"),
    ("windows-1252", "6e61ef766520636166e92096209371756f746573942080", "naïve café – “quotes” €"),
    ("windows-1253", "c5ebebe7ede9eadc", "Ελληνικά"),
    ("windows-1254", "dd7374616e62756c20fef0", "İstanbul şğ"),
    ("windows-1256", "e3d1cdc8c7", "مرحبا"),
    ("windows-874", "c0d2c9d2e4b7c2", "ภาษาไทย"),
    ("iso-8859-2", "a3f364bc", "Łódź"),
    ("iso-8859-5", "bfe0d8d2d5e2", "Привет"),
    ("iso-8859-7", "c1e8deede1", "Αθήνα"),
    ("iso-8859-15", "bd7576726520a4", "œuvre €"),
    ("macintosh", "6361668e20d278d3", "café “x”"),
    ("x-mac-cyrillic", "8ff0e8e2e5f2", "Привет"),
    ("ibm866", "8fe0a8a2a5e2", "Привет"),
    ("utf-16le", "47007200fc00df00650020003dd800de", "Grüße 😀"),
    ("utf-16be", "0047007200fc00df00650020d83dde00", "Grüße 😀"),
    ("iso-2022-jp", "1b284936401b244223411b284a41", "ｶﾀＡA"),
    ("windows-1252", "818d8f909d", "\u{81}\u{8D}\u{8F}\u{90}\u{9D}"),
    ("x-user-defined", "4180ff", "A\u{F780}\u{F7FF}"),
    ("replacement", "414243", "\u{FFFD}"),
    ("gbk", "80", "€"),
  ])
  func `a text in its charset becomes UTF-8`(name: String, hex: String, text: String) throws {
    let charset = try #require(Charset(rawValue: name))
    let decoded = TextDecoding.utf8(from: bytes(hex: hex), charset: charset)
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("utf-8", "61c328ff62", "a\u{FFFD}(\u{FFFD}b"),
    ("utf-8", "efbbbf61", "a"),
    ("shift_jis", "93fa843cff41", "日\u{FFFD}<\u{FFFD}A"),
    ("euc-jp", "c6fc8e3c74", "日\u{FFFD}<t"),
    ("euc-kr", "c7d1fffe41", "한\u{FFFD}\u{FFFD}A"),
    ("big5", "c163ff3c", "繁\u{FFFD}<"),
    ("gbk", "bcf2ff3c", "简\u{FFFD}<"),
    ("utf-16le", "4100d8004200", "AØB"),
    ("utf-16le", "410000d84200", "A\u{FFFD}B"),
    ("utf-16le", "fffe4100ff", "A\u{FFFD}"),
    ("iso-2022-jp", "1b2442467c4b1b28423c1b", "日\u{FFFD}<\u{FFFD}"),
    ("iso-2022-jp", "1b28421b244223411b284a41", "\u{FFFD}ＡA"),
    ("windows-1253", "aa41", "\u{FFFD}A"),
    ("shift_jis", "4193", "A\u{FFFD}"),
    ("shift_jis", "", ""),
  ])
  func `bad bytes are replaced and swallow no ASCII`(name: String, hex: String, text: String) throws {
    let charset = try #require(Charset(rawValue: name))
    let decoded = TextDecoding.utf8(from: bytes(hex: hex), charset: charset)
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }

  @Test(arguments: Charset.allCases)
  func `any bytes in any charset become valid UTF-8 of bounded size`(charset: Charset) throws {
    var random = Random(seed: 7)
    for _ in 0..<20 {
      let input = random.bytes(count: 2_000)
      let decoded = TextDecoding.utf8(from: input, charset: charset)
      #expect(String(validating: decoded, as: UTF8.self) != nil)
      #expect(decoded.count <= input.count * 3)
    }
  }

  @Test func `there is no table of an unknown charset`() {
    let isThere = Iconv(from: "no-such-charset") != nil
    #expect(!isThere)
  }

  @Test func `bytes are one character, or none`() throws {
    // A macro takes no value that cannot be copied.
    guard var converter = Iconv(from: "CP1252") else { throw NoTable() }
    #expect(converter.codePoint(of: [0xE9]) == 0xE9)
    #expect(converter.codePoint(of: [0x80]) == 0x20AC)
    for bytes: [UInt8] in [[], [0x81], [0xE9, 0xE9], [0xE9, 0xE9, 0xE9], [0xE9, 0x81]] {
      #expect(converter.codePoint(of: bytes) == nil)
    }
  }
}

private struct NoTable: Error {}
