/// An input that is there, and of which nothing was read yet.
enum OpenedInput {
  case arguments([String])
  case bytes(DescriptorSource)

  /// Whether rows written to `target` would come back as input, or emptying it would empty the input.
  func isSameFile(as target: OutputPlan.Target) -> Bool {
    switch self {
    case .arguments: false
    case .bytes(let source): source.isSameFile(as: target)
    }
  }
}

extension InputPlan {
  /// How far to look for the first byte that is not blank.
  private static let sniffLimit = 65_536

  /// Opens the input without reading from it; a named pipe blocks until a writer opens it.
  func open() throws(InputError) -> OpenedInput {
    switch origin {
    case .arguments(let links): .arguments(links)
    case .standardInput: .bytes(DescriptorSource())
    case .file(let path): .bytes(try DescriptorSource(path: path))
    }
  }

  /// Looks at the first bytes; blocks until they are there.
  func jobs(of input: OpenedInput) throws(InputError) -> JobSource {
    switch input {
    case .arguments(let links): JobSource(ArgumentJobs(links))
    case .bytes(let source): JobSource(try reader(of: source), origin: source)
    }
  }

  /// Reads jobs from `source` as the plan says: gzip or not, with or without a byte order mark, in its format.
  func reader(of source: any ByteSource) throws(InputError) -> any JobReader {
    let text = try unpacked(source)
    if try text.begins(with: [0xEF, 0xBB, 0xBF]) { text.drop(3) }
    for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] where try text.begins(with: mark) {
      throw InputError(name, "this is UTF-16; save it as UTF-8")
    }
    switch try settledFormat(text) {
    case .csv: return CSVJobs(text, name: name, wish: columns)
    case .jsonl: return JSONLJobs(text)
    case .lines, .auto: return LineJobs(text)
    }
  }

  private func unpacked(_ source: any ByteSource) throws(InputError) -> PeekingSource {
    let peeking = PeekingSource(source)
    guard try peeking.begins(with: GzipSource.magic) else { return peeking }
    return PeekingSource(try GzipSource(peeking, name: name))
  }

  private func settledFormat(_ text: PeekingSource) throws(InputError) -> InputFormat {
    guard format == .auto else { return format }
    let first = try text.firstByteAfterBlanks(limit: Self.sniffLimit)
    return first == UInt8(ascii: "{") ? .jsonl : .lines
  }
}
