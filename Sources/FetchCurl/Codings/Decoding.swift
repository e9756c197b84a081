internal import Compression

/// Undoes one coding piece by piece.
protocol Decoding: AnyObject {
  /// Whether the coded data may end here.
  var isFinished: Bool { get }

  /// Decodes `input` and appends at most `limit` bytes to `output`, also when it then throws.
  ///
  /// - Returns: How many bytes of the input are used up: none when nothing is left to give without more of them.
  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int
}

enum CodingFault: Error, Hashable {
  /// The bytes are not coded as they claim to be.
  case broken
  /// What follows can only be had with more memory than a body gets where others wait for it.
  case wantsMemory
  /// It can only be had with more memory than any body gets.
  case windowTooLarge
  /// Between two codings it is larger than any body may be.
  case swollen
  /// Its caller gave up.
  case unwanted
}

extension CodingFault {
  init(_ error: CompressionError) {
    switch error {
    case .corrupt: self = .broken
    case .windowTooLarge: self = .windowTooLarge
    case .outOfMemory: self = .wantsMemory
    }
  }
}

extension ContentCoding {
  /// RFC 9659: the largest window of `zstd` that a server may use on the web.
  static let windowBits: Int32 = 23

  /// - Parameter largestPiece: The most memory, in bytes, that may be taken at once.
  func decoding(largestPiece: Int) throws(CodingFault) -> any Decoding {
    do throws(CompressionError) {
      return switch self {
      case .gzip: PartsDecoding(try GzipDecoder(), .gzip)
      case .deflate: StreamDecoding(try DeflateDecoder())
      case .brotli: StreamDecoding(try BrotliDecoder(largestPiece: largestPiece))
      case .zstandard: PartsDecoding(try ZstandardDecoder(windowBits: Self.windowBits), .zstandard)
      }
    } catch {
      throw CodingFault(error)
    }
  }
}
