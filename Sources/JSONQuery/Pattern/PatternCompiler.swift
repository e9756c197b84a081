/// Lays a pattern out as a program, what is repeated as often as it must occur.
struct PatternCompiler {
  private(set) var program: [PatternInstruction] = []

  private static let longestProgram = 10_000

  mutating func append(_ tree: PatternTree) throws(PatternError) {
    switch tree {
    case .empty: break
    case .one(let set): try emit(.one(set))
    case .start: try emit(.start)
    case .end: try emit(.end)
    case .sequence(let pieces): for piece in pieces { try append(piece) }
    case .choice(let branches): try append(branches[...])
    case .repeated(let piece, let least, let most): try append(piece, atLeast: least, atMost: most)
    }
  }

  private mutating func append(_ branches: ArraySlice<PatternTree>) throws(PatternError) {
    var jumps: [Int] = []
    for branch in branches.dropLast() {
      let fork = try emit(.jump(0))
      try append(branch)
      jumps.append(try emit(.jump(0)))
      program[fork] = .fork(fork + 1, program.count)
    }
    if let last = branches.last { try append(last) }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  private mutating func append(
    _ piece: PatternTree, atLeast least: Int, atMost most: Int?
  ) throws(PatternError) {
    for _ in 0..<least {
      let start = program.count
      try append(piece)
      // What needs no room would go on for ever.
      if program.count == start { break }
    }
    guard let most else {
      let fork = try emit(.jump(0))
      try append(piece)
      try emit(.jump(fork))
      program[fork] = .fork(fork + 1, program.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(try emit(.jump(0)))
      try append(piece)
    }
    for fork in forks { program[fork] = .fork(fork + 1, program.count) }
  }

  @discardableResult
  private mutating func emit(_ instruction: PatternInstruction) throws(PatternError) -> Int {
    guard program.count < Self.longestProgram else { throw .tooLarge }
    program.append(instruction)
    return program.count - 1
  }
}
