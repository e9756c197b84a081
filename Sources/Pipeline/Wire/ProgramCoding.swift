/// What a worker is, in an extension.
extension WorkerProgram {
  func add(to frame: inout FrameWriter) {
    frame.add(.program) {
      $0.text(version)
      $0.integer(wire)
      $0.integer(process)
    }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.first(.program) else { return nil }
    version = try found.text("version")
    guard version.utf8.count <= Self.longestText else { throw .malformed("version") }
    wire = try found.integer("version of frames")
    process = try found.integer("process")
  }
}
