internal import CFuzzer
import Posix

/// libFuzzer, which calls one function with ever new bytes and watches which code they reach.
public enum FuzzDriver {
  /// Fuzzes until one of libFuzzer's own limits among the program's arguments is reached.
  ///
  /// A trap in `target` ends the process and leaves the input in a file. libFuzzer does not look at arguments
  /// that start with two dashes.
  /// - Returns: The exit status.
  public static func run(_ target: @escaping @Sendable ([UInt8]) -> Void) -> Int32 {
    chosen.withLock { $0 = Target(check: target) }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
    return unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
      let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      chosen.withLock { $0 }?.check(input)
      return 0
    }
  }
}

/// libFuzzer's callback carries no context.
private let chosen = Lock<Target?>(nil)

/// A bare function would be wrapped once more by every look into the lock.
private struct Target {
  var check: @Sendable ([UInt8]) -> Void
}
