/// An input that is there, and of which nothing was read yet.
enum OpenedInput {
  case arguments([String])
  case sources([(InputPlan.Source, DescriptorSource)])

  /// Whether rows written to `target` would come back as input, or emptying it would empty the input.
  func isSameFile(as target: OutputPlan.Target) -> Bool {
    switch self {
    case .arguments: false
    case .sources(let sources): sources.contains { $0.1.isSameFile(as: target) }
    }
  }
}

extension InputPlan {
  /// How far to look for the first line's end.
  private static let sniffLimit = 65_536
  private static let zipMagic = Array("PK\u{3}\u{4}".utf8)

  /// Opens the input without reading from it; a named pipe blocks until a writer opens it.
  func open() throws(InputError) -> OpenedInput {
    guard case .sources(let sources) = origin else { return .arguments(arguments) }
    var opened: [(Source, DescriptorSource)] = []
    for source in sources {
      switch source {
      case .standardInput: opened.append((source, DescriptorSource()))
      case .file(let path): opened.append((source, try DescriptorSource(path: path)))
      }
    }
    return .sources(opened)
  }

  private var arguments: [String] {
    if case .arguments(let links) = origin { links } else { [] }
  }

  /// Looks at the first bytes; blocks until they are there.
  func jobs(of input: OpenedInput) throws(InputError) -> JobSource {
    switch input {
    case .arguments(let links): return JobSource(ArgumentJobs(links))
    case .sources(let sources):
      let waiting = sources.map { source, bytes in
        JobSource.Waiting(name: source.name, bytes: bytes) { () throws(InputError) in
          try reader(of: bytes, named: source)
        }
      }
      return try JobSource(waiting, keepsAll: columns.keepsAll) ?? JobSource(ArgumentJobs([]))
    }
  }

  /// Reads jobs from `source` as the plan says: gzip or not, in its encoding and its format.
  package func reader(of source: any ByteSource) throws(InputError) -> any JobReader {
    try reader(of: source, named: sources.first ?? .standardInput)
  }

  private func reader(of bytes: any ByteSource, named source: Source) throws(InputError) -> any JobReader {
    let text = PeekingSource(try TextSource(unpacked(bytes, source.name)))
    let places = InputPlaces(source: sources.count > 1 ? source.name : nil)
    let format = try settledFormat(of: source, text)
    switch format {
    case .csv, .tsv:
      return CSVJobs(
        text, name: source.name, places: places, wish: columns,
        try CSVDialect.found(in: text, said: delimiter ?? (format == .tsv ? CSVDialect.tab : nil)))
    case .jsonl: return JSONLJobs(text, places: places)
    case .xml: return XMLJobs(text, from: source, places: places)
    case .text:
      return DocumentJobs(text, from: source, places: places, base: base) { bytes, _ in TextLinks(bytes) }
    case .html:
      return DocumentJobs(text, from: source, places: places, base: base) { bytes, _ in HTMLLinks(bytes) }
    case .markdown:
      return DocumentJobs(
        text, from: source, places: places, base: base, limit: MarkdownLinks.longest
      ) { bytes, name throws(InputError) in try MarkdownLinks(bytes, name: name) }
    case .lines, .auto: return LineJobs(text, places: places)
    }
  }

  private func unpacked(_ source: any ByteSource, _ name: String) throws(InputError) -> PeekingSource {
    let peeking = PeekingSource(source)
    if try peeking.begins(with: Self.zipMagic) {
      throw InputError(name, "is a spreadsheet's own file or a zip archive; save it as CSV, or unpack it")
    }
    guard try peeking.begins(with: GzipSource.magic) else { return peeking }
    return PeekingSource(try GzipSource(peeking, name: name))
  }

  private func settledFormat(of source: Source, _ text: PeekingSource) throws(InputError) -> InputFormat {
    let format = format(of: source)
    guard format == .auto else { return format }
    let first = try text.firstByteAfterBlanks(limit: Self.sniffLimit)
    if first == UInt8(ascii: "{") { return .jsonl }
    return CSVColumns.areNames(try text.firstLine(limit: Self.sniffLimit)) ? .csv : .lines
  }
}
