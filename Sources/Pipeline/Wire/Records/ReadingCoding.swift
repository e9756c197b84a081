/// What a job wishes, as it stands in its record: of each wish its code (u8), length (u32) and value, then a zero.
///
/// A program that does not know a code refuses the record, because it would not do what the job is for; but a wish whose
/// code has the top bit is passed over.
extension ByteWriter {
  mutating func reading(_ reading: Reading, origin: LinkOrigin?) {
    if let select = reading.select { wish(.select, select) }
    for text in reading.require { wish(.require, text) }
    if reading.unwraps { wish(.unwrap) }
    if reading.wantsEmbed { wish(.embed) }
    if let call = reading.call { wish(.call, call) }
    if let recipe = reading.recipe { wish(.recipe, recipe) }
    for text in reading.parameters { wish(.parameter, text) }
    for text in reading.headers { wish(.header, text) }
    if let language = reading.language { wish(.language, language) }
    for range in reading.accepts { wish(.accept, range.text) }
    if let origin { wish(origin) }
    integer(WishCode.end)
  }

  private mutating func wish(_ code: WishCode, _ value: String = "") {
    integer(code.rawValue)
    text(value)
  }

  private mutating func wish(_ origin: LinkOrigin) {
    integer(WishCode.origin.rawValue)
    block { value in
      value.integer(origin.line)
      value.integer(origin.column)
      value.optionalText(origin.file)
      value.optionalText(origin.text)
    }
  }
}

extension ByteReader {
  mutating func reading() throws(FrameError) -> (Reading, LinkOrigin?) {
    var reading = Reading()
    var origin: LinkOrigin?
    while true {
      let number = try integer("wish", as: UInt8.self)
      guard number != WishCode.end else { return (reading, origin) }
      guard let code = WishCode(rawValue: number) else {
        guard number & WishCode.mayBePassedOver != 0 else { throw .malformed("wish") }
        _ = try block("wish")
        continue
      }
      if code == .origin {
        origin = try Self.origin(block("origin"))
        continue
      }
      let value = try text("wish")
      switch code {
      case .select: reading.select = value
      case .require: reading.require.append(value)
      case .unwrap: reading.unwraps = true
      case .embed: reading.wantsEmbed = true
      case .call: reading.call = value
      case .recipe: reading.recipe = value
      case .parameter: reading.parameters.append(value)
      case .header: reading.headers.append(value)
      case .language: reading.language = value
      case .accept:
        guard let range = StatusRange(value) else { throw .malformed("accepted statuses") }
        reading.accepts.append(range)
      case .origin: break
      }
    }
  }

  private static func origin(_ bytes: ArraySlice<UInt8>) throws(FrameError) -> LinkOrigin {
    var reader = ByteReader(bytes)
    let line = try reader.integer("line", as: UInt32.self)
    let column = try reader.integer("column", as: UInt32.self)
    let file = try reader.optionalText("file")
    let text = try reader.optionalText("link text")
    guard reader.isAtEnd else { throw .malformed("origin") }
    return LinkOrigin(file: file, line: Int(line), column: Int(column), text: text)
  }
}

/// A wish with the top bit in its code is one that a row can do without.
private enum WishCode: UInt8 {
  case select = 1
  /// Once for each requirement.
  case require = 2
  case unwrap = 3
  case embed = 4
  case call = 5
  case recipe = 6
  /// Once for each parameter of a recipe.
  case parameter = 7
  /// Once for each header.
  case header = 8
  case language = 9
  /// Once for each range of statuses.
  case accept = 10
  /// Where the link stands.
  case origin = 0x81

  /// Behind the last wish.
  static let end: UInt8 = 0
  static let mayBePassedOver: UInt8 = 0x80
}
