import Testing

/// Libraries that users preload, such as libfaketime.
@Suite(.timeLimit(.minutes(10)))
struct PreloadTests {
  @Test func `a preloaded library that adds a variable does not hide the command line`() async throws {
    let folder = try Folder()
    let source = try folder.path(
      "moving.c",
      holding: """
        #include <stdio.h>
        #include <stdlib.h>
        /* A new variable in each process: the shell that starts the program has one already. */
        __attribute__((constructor)) static void move(void) {
          char name[32];
          int number = 0;
          do snprintf(name, sizeof name, "MOVED_%d", number++); while (getenv(name));
          setenv(name, "yes", 1);
        }
        """)
    let library = try folder.path("moving.so")
    let compiled = try await Tool.clang.run(["-shared", "-fPIC", source, "-o", library])
    try #require(compiled.status == 0, "\(compiled.messages)")
    let ended = try await halyard("links", "no such file", environment: ["LD_PRELOAD": library])
    #expect(ended.status == 65 && ended.messages.contains("no such file"), "\(ended.messages)")
  }
}
