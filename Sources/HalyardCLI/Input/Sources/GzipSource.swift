internal import Compression

/// Inflates a gzip file (RFC 1952) of one or more members; zero bytes after a member are padding.
final class GzipSource: ByteSource {
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let chunkSize = 65_536

  private let source: any ByteSource
  private let name: String
  private var decoder: GzipDecoder
  private var input: [UInt8] = []
  private var position = 0
  private var insideMember = true
  /// A fault that was met behind bytes which are still good.
  private var failure: InputError?

  init(_ source: any ByteSource, name: String) throws(InputError) {
    self.source = source
    self.name = name
    do {
      decoder = try GzipDecoder()
    } catch {
      throw InputError(name, Self.words(for: error))
    }
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    if let failure { throw failure }
    var output: [UInt8] = []
    while output.isEmpty {
      guard position < input.count else {
        guard let more = try source.nextChunk() else {
          guard !insideMember else { throw InputError(name, "the gzip data ends too early") }
          return nil
        }
        input = more
        position = 0
        continue
      }
      if insideMember {
        inflate(into: &output)
        if let failure, output.isEmpty { throw failure }
      } else if input[position] == 0 {
        position += 1
      } else {
        insideMember = true
      }
    }
    return output
  }

  private func inflate(into output: inout [UInt8]) {
    do {
      let input = input
      let rest = input.span.extracting(position..<input.count)
      let progress = try decoder.decode(rest, into: &output, limit: Self.chunkSize)
      position += progress.consumed
      insideMember = !progress.finished
    } catch {
      failure = InputError(name, Self.words(for: error))
    }
  }

  private static func words(for error: CompressionError) -> String {
    switch error {
    case .outOfMemory, .windowTooLarge: "no memory to inflate gzip data"
    case .corrupt(let reason): "the gzip data is corrupt: \(reason)"
    }
  }
}
