internal import Posix

/// The bytes of a file or of standard input, 64 KiB at a time.
final class DescriptorSource: ByteSource {
  private let name: String
  /// Nil for standard input, which is not ours to close.
  private let file: Descriptor?

  /// Standard input.
  init() {
    name = InputPlan.standardInputName
    file = nil
  }

  init(path: String) throws(InputError) {
    do {
      file = try Descriptor.reading(path: path)
      name = path
    } catch {
      throw InputError(path, error.message)
    }
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    do {
      let chunk = if let file { try file.readChunk() } else { try readChunk(0) }
      return chunk.isEmpty ? nil : chunk
    } catch {
      throw InputError(name, error.message)
    }
  }
}
