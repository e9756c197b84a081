internal import Posix

/// The bytes of a file or of standard input, 64 KiB at a time.
final class DescriptorSource: ByteSource {
  private let name: String
  /// Nil for standard input, which is not ours to close.
  private let file: Descriptor?
  /// nil when it is unknown.
  let size: Int?
  private(set) var bytesRead = 0

  /// Standard input.
  init() {
    name = InputPlan.standardInputName
    file = nil
    size = fileSize(0)
  }

  init(path: String) throws(InputError) {
    do {
      file = try Descriptor.reading(path: path)
      size = file?.size
      name = path
    } catch {
      throw InputError(path, error.message)
    }
  }

  /// Whether it is the regular file that rows are written to.
  func isSameFile(as target: OutputPlan.Target) -> Bool {
    target.paths.contains { file?.isFile(at: $0) ?? isFile(0, at: $0) }
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    do {
      let chunk = if let file { try file.readChunk() } else { try readChunk(0) }
      bytesRead += chunk.count
      return chunk.isEmpty ? nil : chunk
    } catch {
      throw InputError(name, error.message)
    }
  }
}
