/// Where a run's output goes, and a page of it. Both are opened before any server is called, so an unwritable file is
/// reported before the work, not after it.
struct RunFiles {
  private let output: any ByteSink
  private let page: (any ByteSink)?

  /// - Parameters:
  ///   - output: A file's path; nil for standard output.
  ///   - page: A file's path; nil for no page.
  init(output: String?, page: String?) throws(OutputError) {
    if let output {
      self.output = try ReplacingSink.opened(output, .json)
    } else {
      self.output = DescriptorSink(.json)
    }
    do throws(OutputError) {
      if let page { self.page = try ReplacingSink.opened(page, .text) } else { self.page = nil }
    } catch {
      _ = self.output.breakOff(keepingRows: false)
      throw error
    }
  }

  /// Writes what a run left; a file for which there is nothing stays as it was.
  ///
  /// - Parameter whole: All of the row, and not only what was gathered.
  func write(_ report: RunReport, whole: Bool) throws(OutputError) {
    if let page { try Self.write(report.page, to: page) }
    try Self.write(whole ? report.wholeRow : report.gathered, to: output)
  }

  /// There is nothing to write: files stay as they were.
  func breakOff() {
    for sink in [output, page].compactMap(\.self) { _ = sink.breakOff(keepingRows: false) }
  }

  private static func write(_ bytes: [UInt8]?, to sink: any ByteSink) throws(OutputError) {
    guard let bytes else {
      _ = sink.breakOff(keepingRows: false)
      return
    }
    try sink.write(bytes)
    try sink.finish()
  }
}
