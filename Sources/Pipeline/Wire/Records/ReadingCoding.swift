/// What a job wishes, as it stands in its record: one byte, and what it announces.
///
///     0  nothing      2  checks: selection (0 or 1 and text), marks, requirements
///     1  a selection  3  wishes: their length (u32); then of each its code (u8), length (u32) and value
///
/// The lowest that says all of it is written, so a new wish needs a code among the wishes, and no record without it changes.
/// A program that does not know what it finds refuses the record, because it would not do what the job is for; but a
/// wish whose code has the top bit is passed over.
extension ByteWriter {
  mutating func reading(_ reading: Reading, origin: LinkOrigin?) {
    guard origin == nil else { return wishes(reading, origin) }
    var checks = Reading(select: reading.select)
    if reading == checks { return optionalText(reading.select) }
    (checks.require, checks.unwraps) = (reading.require, reading.unwraps)
    if reading == checks { return self.checks(reading) }
    wishes(reading, nil)
  }

  private mutating func checks(_ reading: Reading) {
    integer(ReadingCode.checks)
    optionalText(reading.select)
    integer(UInt8(reading.unwraps ? 1 : 0))
    integer(UInt16(clamping: reading.require.count))
    for text in reading.require.prefix(Int(UInt16.max)) { self.text(text) }
  }

  private mutating func wishes(_ reading: Reading, _ origin: LinkOrigin?) {
    var wishes = ByteWriter(form)
    if let select = reading.select { wishes.wish(.select, select) }
    for text in reading.require { wishes.wish(.require, text) }
    if reading.unwraps { wishes.wish(.unwrap) }
    if reading.wantsEmbed { wishes.wish(.embed) }
    if let call = reading.call { wishes.wish(.call, call) }
    if let recipe = reading.recipe { wishes.wish(.recipe, recipe) }
    for text in reading.parameters { wishes.wish(.parameter, text) }
    for text in reading.headers { wishes.wish(.header, text) }
    if let language = reading.language { wishes.wish(.language, language) }
    for range in reading.accepts { wishes.wish(.accept, range.text) }
    if let origin { wishes.wish(origin) }
    integer(ReadingCode.wishes)
    block(wishes)
  }

  private mutating func wish(_ code: WishCode, _ value: String = "") {
    integer(code.rawValue)
    text(value)
  }

  private mutating func wish(_ origin: LinkOrigin) {
    var value = ByteWriter(form)
    value.integer(origin.line)
    value.integer(origin.column)
    value.optionalText(origin.file)
    value.optionalText(origin.text)
    integer(WishCode.origin.rawValue)
    block(value)
  }
}

extension ByteReader {
  mutating func reading() throws(FrameError) -> (Reading, LinkOrigin?) {
    switch try integer("reading", as: UInt8.self) {
    case ReadingCode.nothing: return (Reading(), nil)
    case ReadingCode.selection: return (Reading(select: try text("select")), nil)
    case ReadingCode.checks: return (try checks(), nil)
    case ReadingCode.wishes: return try Self.wishes(block("wishes"))
    default: throw .malformed("reading")
    }
  }

  private mutating func checks() throws(FrameError) -> Reading {
    var reading = Reading(select: try optionalText("select"), unwraps: try flag("reading's marks"))
    for _ in 0..<(try integer("requirements", as: UInt16.self)) {
      reading.require.append(try text("requirement"))
    }
    return reading
  }

  private static func wishes(_ bytes: ArraySlice<UInt8>) throws(FrameError) -> (Reading, LinkOrigin?) {
    var (wishes, reading) = (ByteReader(bytes), Reading())
    var origin: LinkOrigin?
    while !wishes.isAtEnd {
      let number = try wishes.integer("wish", as: UInt8.self)
      guard let code = WishCode(rawValue: number) else {
        guard number & WishCode.mayBePassedOver != 0 else { throw .malformed("wish") }
        _ = try wishes.block("wish")
        continue
      }
      if code == .origin {
        origin = try Self.origin(wishes.block("origin"))
        continue
      }
      let value = try wishes.text("wish")
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
    return (reading, origin)
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

private enum ReadingCode {
  static let nothing: UInt8 = 0
  static let selection: UInt8 = 1
  static let checks: UInt8 = 2
  static let wishes: UInt8 = 3
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

  static let mayBePassedOver: UInt8 = 0x80
}
