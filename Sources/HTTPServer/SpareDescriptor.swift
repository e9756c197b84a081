import Posix

/// Kept for the moment when the process may open no more: a connection that could not be accepted would stay, and be told
/// of again and again.
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
