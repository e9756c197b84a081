internal import Posix

/// Takes the bytes of rows; blocks until they are written.
protocol ByteSink {
  func write(_ bytes: [UInt8]) throws(OutputError)
}

/// Standard output, or a file.
struct DescriptorSink: ByteSink {
  private let name: String
  /// Nil for standard output, which is not ours to close.
  private let file: Descriptor?

  /// Standard output.
  init() {
    name = "standard output"
    file = nil
  }

  /// Creates the file, or empties it.
  init(path: String) throws(OutputError) {
    do {
      file = try Descriptor.writing(path: path)
      name = path
    } catch {
      throw .failed(path, error.message)
    }
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    do {
      if let file { try file.writeAll(bytes) } else { try writeAll(1, bytes) }
    } catch {
      throw error.isBrokenPipe ? .brokenPipe : .failed(name, error.message)
    }
  }
}
