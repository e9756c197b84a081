import Posix

func read(_ path: String) throws -> [UInt8] {
  let file = try Descriptor.reading(path: path)
  var bytes: [UInt8] = []
  while case let chunk = try file.readChunk(), !chunk.isEmpty { bytes += chunk }
  return bytes
}

func write(_ bytes: [UInt8], to path: String) throws {
  try Descriptor.writing(path: path).writeAll(bytes)
}
