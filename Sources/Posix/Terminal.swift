internal import CPosix

public func isTerminal(_ descriptor: Int32) -> Bool {
  isatty(descriptor) == 1
}

/// The terminal's height in lines, or nil if it is not a terminal or does not tell.
public func terminalHeight(_ descriptor: Int32) -> Int? {
  let lines = cposix_terminal_height(descriptor)
  return lines > 0 ? Int(lines) : nil
}

/// The terminal's width in columns, or nil if it is not a terminal or does not tell.
public func terminalWidth(_ descriptor: Int32) -> Int? {
  let columns = cposix_terminal_width(descriptor)
  return columns > 0 ? Int(columns) : nil
}
