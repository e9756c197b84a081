internal import CPosix

/// Ends the process without waiting for threads that are blocked.
public func exitProcess(_ status: Int32) -> Never {
  _exit(status)
}

/// Sends a signal to this process; to whichever thread takes it, because the calling one may have it blocked.
public func raiseSignal(_ signal: Int32) {
  kill(getpid(), signal)
}
