import Posix

/// Held in reserve for when the process runs out of descriptors. Without it, a connection that cannot be accepted would
/// stay in the queue and wake the loop again and again.
struct SpareDescriptor {
  private var held = Self.open()

  private static func open() -> Descriptor? { try? Descriptor.reading(path: "/dev/null") }

  /// Another part of the process may have been faster.
  var isHeld: Bool { held != nil }

  mutating func giveUp() {
    held = nil
  }

  mutating func takeBack() {
    if held == nil { held = Self.open() }
  }
}
