import Pipeline
import Sandbox
import ZeroMQ

/// What a decoder's process is confined by.
enum DecoderSandbox {
  /// Confines all threads but the library's that make lanes: every one that touches a page's bytes. To be called when the
  /// inbox is bound and all files are open.
  static func enter() throws(DecoderSandboxError) -> WorkerSandbox {
    do throws(SandboxError) {
      let confinement = try Confinement.confineThreads(
        sparing: Confinement.Spared(name: ZeroMQLibrary.threadName, count: ZeroMQLibrary.threadCount))
      return confinement.landlockVersion == nil ? .filter : .filterAndLandlock
    } catch {
      throw DecoderSandboxError(cause: error)
    }
  }
}

/// A decoder that was not told to do without its sandbox does not start without it.
struct DecoderSandboxError: Error, Hashable, Sendable {
  var cause: SandboxError

  var rendered: String {
    "halyard: no sandbox for this decoder: \(Printable.text(cause.message)); use a kernel with"
      + " CONFIG_SECCOMP_FILTER, or --no-sandbox\n"
  }

  /// Whether it would be so the next time too.
  var isHopeless: Bool { cause.isPermanent }
}
