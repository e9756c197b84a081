#pragma once
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stddef.h>

// A parsed document and all of its memory. It is read and closed by the thread that parsed it.
typedef struct halyard_markdown halyard_markdown;

// NULL when the document needs more than so many bytes of memory.
halyard_markdown *halyard_markdown_parse(const char *bytes, size_t count, size_t most_memory);
cmark_node *halyard_markdown_root(halyard_markdown *document);
void halyard_markdown_close(halyard_markdown *document);
