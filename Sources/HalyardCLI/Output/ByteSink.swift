internal import Posix

/// Takes the bytes of rows; blocks until they are written.
protocol ByteSink {
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// All rows are written that there will be.
  func finish() throws(OutputError)
  /// The rows are not all there, and what was there before stays.
  ///
  /// - Parameter keepingRows: Nobody else has those that were written.
  /// - Returns: Where they are kept.
  func breakOff(keepingRows: Bool) -> String?
}

extension ByteSink {
  func finish() throws(OutputError) {}
  func breakOff(keepingRows: Bool) -> String? { nil }
}

/// Standard output, or what is no regular file.
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

/// A file that is replaced as a whole.
struct ReplacingSink: ByteSink {
  private let name: String
  private let part: PartFile

  /// - Returns: The way to what is at a path, which is replaced where that can be.
  static func opened(_ path: String) throws(OutputError) -> any ByteSink {
    do {
      return ReplacingSink(name: path, part: try PartFile(beside: path))
    } catch {
      switch error {
      case .held: throw .failed(PartFile.path(beside: path), "another command writes its rows there")
      case .notReplaceable: return try DescriptorSink(path: path)
      }
    }
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    do {
      try part.writeAll(bytes)
    } catch {
      throw .failed(name, error.message)
    }
  }

  func finish() throws(OutputError) {
    do {
      try part.takePlace()
    } catch {
      throw .failed(name, "\(error.message); the rows are in \(part.path)")
    }
  }

  func breakOff(keepingRows: Bool) -> String? {
    if keepingRows, !part.isEmpty { return part.path }
    part.remove()
    return nil
  }
}
