/// One record of a CSV file: its wanted cells, side by side in one buffer.
struct CSVRecord {
  struct Cell {
    var range: Range<Int>
    /// Over the limit; only the beginning is kept.
    var isTooLong: Bool
  }

  /// The line on which the record starts, counted from 1.
  var line: Int
  var bytes: [UInt8] = []
  /// In the order of their columns; those behind the record's end are missing.
  var cells: [Cell] = []
  /// How many cells the record has up to its last one that is not empty.
  var width = 0
}

/// Reads CSV as RFC 4180 has it: quotes, doubled quotes, line breaks in quotes; lines end in CRLF, LF or CR.
///
/// Other separators than the comma do as well. It is lenient where nothing is lost: a quote inside an unquoted cell, or text behind a closing quote, stands for
/// itself. Lines without any character are skipped. Only wanted cells are kept, which bounds the memory.
struct CSVReader {
  private enum State {
    case recordStart
    case cellStart
    case plain
    case quoted
    case quoteInQuoted
  }

  /// A header beyond this is no table that people make; it also bounds the memory.
  private static let headerLimit = (columns: 16_384, bytes: 1 << 20)

  /// Which columns to keep, in ascending order; nil keeps all, which is for the header.
  var wanted: [Int]?
  /// Whether a quote at a cell's beginning has another one at its end; it has none in Halyard's own TSV.
  var hasQuotes = true

  private let delimiter: UInt8
  private let name: String
  private var chunk: [UInt8] = []
  private var position = 0
  private var hasEnded = false
  private var state = State.recordStart
  private var line = 1
  private var followsCR = false
  private var quoteLine = 1
  private var record = CSVRecord(line: 1)
  private var column = 0
  private var cellStart = 0
  private var cellIsEmpty = true
  private var keepsCell = true

  init(name: String, delimiter: UInt8) {
    (self.name, self.delimiter) = (name, delimiter)
  }

  /// - Parameter chunk: nil at the end.
  mutating func take(_ chunk: [UInt8]?) {
    (self.chunk, position, hasEnded) = (chunk ?? [], 0, chunk == nil)
  }

  /// nil when it needs another piece.
  mutating func next() throws(InputError) -> CSVRecord? {
    while position < chunk.count {
      if let record = step() { return record }
      try checkHeader()
    }
    guard hasEnded else { return nil }
    if state == .quoted { throw InputError(name, "the quote on line \(quoteLine) is never closed") }
    return state == .recordStart ? nil : endRecord()
  }

  /// Takes the next byte or run of bytes, or only changes the state; returns a record when it is complete.
  private mutating func step() -> CSVRecord? {
    let byte = chunk[position]
    switch state {
    case .recordStart:
      if isLineEnd(byte) {
        takeLineEnd(byte)
      } else {
        beginRecord()
      }
    case .cellStart where byte == UInt8(ascii: "\"") && hasQuotes:
      state = .quoted
      quoteLine = line
      position += 1
    case .cellStart:
      state = .plain
    case .plain where byte == delimiter:
      position += 1
      endCell()
      beginCell()
    case .plain where isLineEnd(byte):
      takeLineEnd(byte)
      return endRecord()
    case .plain:
      keep(until: endOfPlainRun())
    case .quoted where byte == UInt8(ascii: "\""):
      state = .quoteInQuoted
      position += 1
    case .quoted:
      let run = quotedRun()
      line += run.lineEnds
      keep(until: run.end)
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      state = .quoted
      keep(until: position + 1)
    case .quoteInQuoted:
      state = .plain
    }
    return nil
  }

  private mutating func takeLineEnd(_ byte: UInt8) {
    let isSecondHalf = followsCR && byte == UInt8(ascii: "\n")
    if !isSecondHalf { line += 1 }
    followsCR = byte == UInt8(ascii: "\r")
    position += 1
  }

  private mutating func beginRecord() {
    followsCR = false
    record = CSVRecord(line: line)
    column = 0
    beginCell()
  }

  private mutating func beginCell() {
    state = .cellStart
    cellStart = record.bytes.count
    cellIsEmpty = true
    if let wanted {
      keepsCell = record.cells.count < wanted.count && wanted[record.cells.count] == column
    } else {
      keepsCell = true
    }
  }

  private mutating func keep(until end: Int) {
    cellIsEmpty = false
    if keepsCell {
      let room = LineReader.limit + 1 - (record.bytes.count - cellStart)
      record.bytes += chunk[position..<end].prefix(room)
    }
    position = end
  }

  private mutating func endCell() {
    if keepsCell {
      let range = cellStart..<record.bytes.count
      record.cells.append(CSVRecord.Cell(range: range, isTooLong: range.count > LineReader.limit))
    }
    column += 1
    if !cellIsEmpty { record.width = column }
  }

  private mutating func endRecord() -> CSVRecord {
    endCell()
    state = .recordStart
    return record
  }

  private func checkHeader() throws(InputError) {
    guard wanted == nil else { return }
    if record.cells.count > Self.headerLimit.columns || record.bytes.count > Self.headerLimit.bytes {
      throw InputError(name, "the first line is too long for a row of column names")
    }
  }

  private func endOfPlainRun() -> Int {
    let bytes = chunk.span
    var index = position
    while index < bytes.count, bytes[index] != delimiter, !isLineEnd(bytes[index]) { index += 1 }
    return index
  }

  private func quotedRun() -> (end: Int, lineEnds: Int) {
    let bytes = chunk.span
    var index = position
    var lineEnds = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\n") { lineEnds += 1 }
      index += 1
    }
    return (index, lineEnds)
  }
}

/// How the cells of a table are separated.
enum CSVDialect {
  static let tab = UInt8(ascii: "\t")
  static let comma = UInt8(ascii: ",")
  private static let separators = [comma, UInt8(ascii: ";"), tab]
  private static let lineLimit = 65_536

  /// What an option names: a character, or a word for one.
  static func delimiter(named text: String) -> UInt8? {
    switch text {
    case "tab", "\\t": return tab
    default:
      guard text.utf8.count == 1, let byte = text.utf8.first else { return nil }
      let isText =
        byte == UInt8(ascii: "\"") || isLineEnd(byte) || (byte < 0x20 && byte != tab) || byte >= 0x7F
      return isText ? nil : byte
    }
  }

  /// What separates the cells, as a table's first line says it: a line `sep=;`, as spreadsheets write it, which is taken away, or the separators in the
  /// row of names.
  static func found(in text: PeekingSource, said delimiter: UInt8?) throws(InputError) -> UInt8 {
    let line = try text.firstLine(limit: lineLimit)
    if let separator = separator(saidBy: line) {
      text.drop(line.count)
      // The line's end is left, and counts as the line.
      return delimiter ?? separator
    }
    return delimiter ?? mostFrequent(in: line)
  }

  private static func separator(saidBy line: ArraySlice<UInt8>) -> UInt8? {
    let word = Array("sep=".utf8)
    guard line.count == word.count + 1, line.starts(with: word) else { return nil }
    return line.last
  }

  /// The separator that stands most often outside quotes, the first among equals.
  static func mostFrequent(in line: ArraySlice<UInt8>) -> UInt8 {
    var counts = [Int](repeating: 0, count: separators.count)
    var isQuoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let index = separators.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return separators[counts.firstIndex(of: most) ?? 0]
  }

  /// A cell of Halyard's own TSV, in which a backslash and a letter stand for a tab, a line end or a backslash.
  static func unescaped(_ cell: String) -> String {
    guard cell.utf8.contains(UInt8(ascii: "\\")) else { return cell }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in cell.utf8 {
      guard isEscaped || byte != UInt8(ascii: "\\") else {
        isEscaped = true
        continue
      }
      if isEscaped, let meant = meaning(ofEscaped: byte) {
        text.append(meant)
      } else {
        text += isEscaped ? [UInt8(ascii: "\\"), byte] : [byte]
      }
      isEscaped = false
    }
    if isEscaped { text.append(UInt8(ascii: "\\")) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func meaning(ofEscaped byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "t"): tab
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "\\"): byte
    default: nil
    }
  }
}
