import CIconv
import Glibc

/// A converter between two charsets of the C library, closed when it goes out of scope.
@safe
public struct Iconv: ~Copyable {
  private let handle: iconv_t

  /// What stands in the output for a sequence that means nothing in the source charset.
  public struct Substitute: Sendable {
    /// In the target charset.
    public var bytes: [UInt8]
    /// How many bytes of the input it stands for; at least one is always skipped.
    public var skipping: Int

    public init(_ bytes: [UInt8], skipping: Int = 1) {
      self.bytes = bytes
      self.skipping = skipping
    }
  }

  public init(from: String, to: String) throws(IconvError) {
    guard let handle = unsafe halyard_iconv_open(to, from) else {
      throw IconvError(from: from, to: to)
    }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe iconv_close(handle)
  }

  /// Converts a whole text; never fails, because bad sequences are replaced and the output is bounded.
  ///
  /// `substitute` is given the first bad byte and the one behind it. The output ends at the last whole
  /// character within `limit` bytes. The converter is back in its initial state afterwards.
  public mutating func convert(
    _ input: [UInt8], limit: Int, substitute: (_ bad: UInt8, _ next: UInt8?) -> Substitute
  ) -> [UInt8] {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { scratch in
      unsafe convert(input, limit: limit, through: scratch, substitute: substitute)
    }
  }

  private func convert(
    _ input: [UInt8], limit: Int, through scratch: UnsafeMutableBufferPointer<UInt8>,
    substitute: (_ bad: UInt8, _ next: UInt8?) -> Substitute
  ) -> [UInt8] {
    unsafe _ = halyard_iconv_convert(handle, nil, 0, nil, 0)
    var output: [UInt8] = []
    output.reserveCapacity(min(limit, input.count))
    var position = 0
    while position < input.count {
      let step = unsafe append(input, from: position, to: &output, limit: limit, through: scratch)
      position += step.consumed
      if step.error == E2BIG {
        if step.produced == 0 { return output }
        continue
      }
      guard step.error != 0, position < input.count else { continue }
      let next = position + 1 < input.count ? input[position + 1] : nil
      let replacement = substitute(input[position], next)
      guard replacement.bytes.count <= limit - output.count else { return output }
      output += replacement.bytes
      let isCutOff = step.error == EINVAL
      position = isCutOff ? input.count : position + max(1, replacement.skipping)
    }
    unsafe _ = append(nil, from: 0, to: &output, limit: limit, through: scratch)
    return output
  }

  /// Converts until the scratch space is full, a sequence is bad, or the input is over.
  private func append(
    _ input: [UInt8]?, from position: Int, to output: inout [UInt8], limit: Int,
    through scratch: UnsafeMutableBufferPointer<UInt8>
  ) -> halyard_iconv_step {
    let room = min(limit - output.count, scratch.count)
    let step =
      if let input {
        unsafe input.withUnsafeBufferPointer { source in
          let rest = unsafe UnsafeBufferPointer(rebasing: source[position...])
          return unsafe halyard_iconv_convert(
            handle, rest.baseAddress, rest.count, scratch.baseAddress, room)
        }
      } else {
        unsafe halyard_iconv_convert(handle, nil, 0, scratch.baseAddress, room)
      }
    unsafe output.append(contentsOf: scratch.prefix(step.produced))
    return step
  }
}

/// The C library knows no conversion between two charsets.
public struct IconvError: Error, Hashable, Sendable, CustomStringConvertible {
  public let from: String
  public let to: String

  public var description: String { "iconv_open: no conversion from \(from) to \(to)" }
}
