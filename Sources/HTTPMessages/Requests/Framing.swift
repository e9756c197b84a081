/// What the fields of a head say about where the request ends and what happens then.
struct Framing {
  private(set) var host: Range<Int>?
  private(set) var expectsContinue = false
  private(set) var keepsAlive = false
  private var length: Int?
  private var isChunked = false

  var bodyLength: RequestHead.BodyLength { isChunked ? .chunked : .bytes(length ?? 0) }

  init(_ lines: HeadLines) throws(Refusal) {
    var closes = false
    for field in lines.fields {
      let (name, value) = (lines.bytes[field.name], lines.bytes[field.value])
      switch name.count {
      case 4 where name.spells("host"):
        guard host == nil else { throw .repeatedHost }
        guard value.isHost else { throw .malformedHost }
        host = field.value
      case 6 where name.spells("expect"):
        guard value.spells("100-continue") else { throw .unknownExpectation }
        expectsContinue = lines.isVersion11
      case 10 where name.spells("connection"):
        for option in value.split(separator: UInt8(ascii: ",")) {
          closes = closes || option.trimmed.spells("close")
          keepsAlive = keepsAlive || option.trimmed.spells("keep-alive")
        }
      case 14 where name.spells("content-length"):
        guard length == nil else { throw .repeatedLength }
        guard 1...18 ~= value.count, value.allSatisfy(\.isDigit) else { throw .malformedLength }
        length = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      case 17 where name.spells("transfer-encoding"):
        guard !isChunked else { throw .repeatedCoding }
        guard value.spells("chunked") else { throw .unknownCoding }
        isChunked = true
      default: break
      }
    }
    guard host != nil || !lines.isVersion11 else { throw .missingHost }
    guard !isChunked || length == nil else { throw .lengthAndCoding }
    guard !isChunked || lines.isVersion11 else { throw .codingInOldVersion }
    // `close` wins, in whichever order they come.
    keepsAlive = (lines.isVersion11 || keepsAlive) && !closes
  }
}
