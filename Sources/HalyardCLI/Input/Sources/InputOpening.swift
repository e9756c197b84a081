extension InputPlan {
  /// How far to look for the first line's end.
  private static let sniffLimit = 65_536
  private static let zipMagic = Array("PK\u{3}\u{4}".utf8)

  /// Opens the input without reading from it; a named pipe blocks until a writer opens it.
  func open(_ context: InputContext = InputContext()) throws(InputError) -> JobSource {
    switch origin {
    case .arguments(let links): return JobSource(SourceJobs(nil, ArgumentJobs(links, context)))
    case .sources(let sources):
      var opened: [JobSource.Waiting] = []
      for source in sources {
        let bytes = if let path = source.path { try DescriptorSource(path: path) } else { DescriptorSource() }
        opened.append(
          JobSource.Waiting(name: source.name, bytes: bytes) { () throws(InputError) in
            try jobs(of: bytes, named: source, context)
          })
      }
      return JobSource(opened, keepsAll: columns.keepsAll)
    }
  }

  /// Reads jobs from `source` as the plan says: gzip or not, in its encoding and its format.
  package func jobs(of source: any ByteSource) throws(InputError) -> SourceJobs {
    try jobs(of: source, named: sources.first ?? .standardInput, InputContext())
  }

  func jobs(
    of bytes: any ByteSource, named source: Source, _ context: InputContext
  ) throws(InputError) -> SourceJobs {
    let text = PeekingSource(try TextSource(unpacked(bytes, source.name)))
    var context = context
    context.source = sources.count > 1 ? source.name : nil
    return SourceJobs(text, try reader(of: text, named: source, context))
  }

  private func reader(
    of text: PeekingSource, named source: Source, _ context: InputContext
  ) throws(InputError) -> any JobReader {
    let format = try settledFormat(of: source, text)
    switch format {
    case .csv, .tsv:
      return CSVJobs(
        context, name: source.name, wish: columns,
        try CSVDialect.found(in: text, said: delimiter ?? (format == .tsv ? CSVDialect.tab : nil)))
    case .jsonl: return JSONLJobs(context)
    case .xml: return XMLJobs(context, from: source)
    case .text:
      return DocumentJobs(context, from: source, base: base) { bytes, _ in TextLinks(bytes) }
    case .html:
      return DocumentJobs(context, from: source, base: base) { bytes, _ in HTMLLinks(bytes) }
    case .markdown:
      return DocumentJobs(context, from: source, base: base, limit: MarkdownLinks.longest) {
        bytes, name throws(InputError) in try MarkdownLinks(bytes, name: name)
      }
    case .lines, .auto: return LineJobs(context)
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
