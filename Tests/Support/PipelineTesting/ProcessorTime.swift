import Posix

/// The processor time that work takes: a busy machine does not make it longer.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
  let start = SystemTime.threadMicroseconds
  try work()
  return .microseconds(SystemTime.threadMicroseconds - start)
}
