import CIconv
import Glibc

/// Reads single characters of a charset by the C library's table, which is closed when it goes out of scope.
@safe
public struct Iconv: ~Copyable {
  private let handle: iconv_t

  /// nil where the C library has no such table.
  public init?(from charset: String) {
    // Code points as numbers of this machine.
    guard let handle = unsafe halyard_iconv_open("WCHAR_T", charset) else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe iconv_close(handle)
  }

  /// The code point that bytes stand for; nil where they mean nothing, or more than one.
  public mutating func codePoint(of bytes: [UInt8]) -> UInt32? {
    unsafe _ = halyard_iconv_convert(handle, nil, 0, nil, 0)
    var found: [UInt32] = [0, 0]
    let size = unsafe found.withUnsafeMutableBytes { room -> Int? in
      let room = unsafe room.bindMemory(to: UInt8.self)
      let read = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe halyard_iconv_convert(handle, source.baseAddress, source.count, room.baseAddress, room.count)
      }
      guard read.error == 0 else { return nil }
      // It holds back what another character may follow.
      let rest = unsafe UnsafeMutableBufferPointer(rebasing: room[read.produced...])
      let held = unsafe halyard_iconv_convert(handle, nil, 0, rest.baseAddress, rest.count)
      return held.error == 0 ? read.produced + held.produced : nil
    }
    return size == MemoryLayout<UInt32>.size ? found[0] : nil
  }
}
