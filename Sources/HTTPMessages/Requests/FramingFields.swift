/// What the fields of a head say about where the request ends and what happens then.
struct FramingFields {
  private(set) var host: Range<Int>?
  private(set) var bodyLength = RequestHead.BodyLength.bytes(0)
  private(set) var expectsContinue = false
  private var closes = false
  private var saysKeepAlive = false
  private let isVersion11: Bool
  private var hasLength = false
  private var hasCoding = false

  init(_ reader: HeadReader) throws(Refusal) {
    isVersion11 = reader.isVersion11
    for field in reader.fields {
      let (name, value) = (reader.bytes[field.name.range], reader.bytes[field.value.range])
      switch name.count {
      case 4 where name.elementsEqual("host".utf8):
        guard host == nil else { throw .repeatedHost }
        guard Self.isHost(value) else { throw .malformedHost }
        host = field.value.range
      case 6 where name.elementsEqual("expect".utf8):
        guard value.spells("100-continue") else { throw .unknownExpectation }
        expectsContinue = true
      case 10 where name.elementsEqual("connection".utf8): readConnection(value)
      case 14 where name.elementsEqual("content-length".utf8): try readLength(value)
      case 17 where name.elementsEqual("transfer-encoding".utf8): try readCoding(value)
      default: break
      }
    }
    guard host != nil || !reader.isVersion11 else { throw .missingHost }
    guard !hasCoding || reader.isVersion11 else { throw .codingInOldVersion }
  }

  /// `close` wins over `keep-alive`, in whichever order they come.
  var keepsAlive: Bool { (isVersion11 || saysKeepAlive) && !closes }

  private mutating func readConnection(_ value: ArraySlice<UInt8>) {
    for option in value.split(separator: UInt8(ascii: ",")) {
      if option.trimmed.spells("close") { closes = true }
      if option.trimmed.spells("keep-alive") { saysKeepAlive = true }
    }
  }

  private mutating func readLength(_ value: ArraySlice<UInt8>) throws(Refusal) {
    guard !hasLength else { throw .repeatedLength }
    guard !hasCoding else { throw .lengthAndCoding }
    guard !value.isEmpty, value.count <= 18, value.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .malformedLength
    }
    hasLength = true
    bodyLength = .bytes(value.reduce(0) { $0 * 10 + Int($1) - 0x30 })
  }

  private mutating func readCoding(_ value: ArraySlice<UInt8>) throws(Refusal) {
    guard !hasCoding else { throw .repeatedCoding }
    guard !hasLength else { throw .lengthAndCoding }
    guard value.spells("chunked") else { throw .unknownCoding }
    hasCoding = true
    bodyLength = .chunked
  }

  /// A name or an address, and perhaps a port.
  private static func isHost(_ value: ArraySlice<UInt8>) -> Bool {
    var name = value
    if value.first == UInt8(ascii: "[") {
      guard let end = value.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = value[..<end].dropFirst()
      guard address.allSatisfy({ $0.hexDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
      else { return false }
      name = value[end...].dropFirst()
      guard name.isEmpty || name.first == UInt8(ascii: ":"), !address.isEmpty else { return false }
    } else {
      name = value.drop { $0.isHostByte }
      guard name.startIndex > value.startIndex else { return false }
    }
    guard let colon = name.first else { return true }
    return colon == UInt8(ascii: ":") && name.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
  }
}

extension UInt8 {
  fileprivate var isHostByte: Bool {
    switch self {
    case 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E: true
    default: false
    }
  }
}
