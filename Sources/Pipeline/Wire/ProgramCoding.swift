/// What a worker is, in an extension: older aggregators pass over it.
extension WorkerProgram {
  func add(to frame: inout FrameWriter) {
    frame.add(.program) {
      $0.text(version)
      $0.integer(wire)
      $0.integer(process)
      $0.integer(UInt8(options == nil ? 0 : 1))
      for option in options ?? [] {
        $0.text(option.name)
        $0.integer(option.hash)
      }
    }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.findAll(.program).first else { return nil }
    version = try found.shortText("version")
    wire = try found.integer("version of frames")
    process = try found.integer("process")
    guard try found.flag("options") else {
      options = nil
      return
    }
    var options: [FindingOption] = []
    while !found.isAtEnd {
      guard options.count < Self.mostOptions else { throw .malformed("options") }
      options.append(
        FindingOption(name: try found.shortText("option"), hash: try found.integer("option's value")))
    }
    self.options = options
  }
}

extension ByteReader {
  fileprivate mutating func shortText(_ field: FrameError.StaticStringField) throws(FrameError) -> String {
    let text = try text(field)
    guard text.utf8.count <= WorkerProgram.longestText else { throw .malformed(field) }
    return text
  }
}
