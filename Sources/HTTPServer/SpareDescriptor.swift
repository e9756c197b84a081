import Posix

/// Kept for the moment when the process may open no more: a connection that could not be accepted would stay, and be told
/// of again and again.
struct SpareDescriptor {
  private var held = Self.open()

  private static func open() -> Descriptor? { try? Descriptor.reading(path: "/dev/null") }

  /// Accepts a connection in the place of the spare one.
  ///
  /// - Returns: Whether the place could be taken again.
  mutating func turnAway(from listener: Listener, with answer: [UInt8]) -> Bool {
    held = nil
    if let socket = try? listener.acceptNow() {
      _ = socket.sendNow(answer, from: 0)
      socket.finishWriting()
    }
    held = Self.open()
    return held != nil
  }
}
