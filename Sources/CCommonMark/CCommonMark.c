#include "CCommonMark.h"

#include <cmark-gfm-extension_api.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The library cannot be told that there is no memory left, so the parse is abandoned from within an allocation. Its memory
// comes from chunks that are freed together; nothing else has to be undone.

enum { chunk_size = 1 << 20, alignment = 16 };

struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(alignment) unsigned char bytes[];
};

struct halyard_markdown {
  struct chunk *chunks;
  size_t left;
  cmark_node *root;
  int is_parsed;
  jmp_buf out_of_memory;
};

static _Thread_local halyard_markdown *current;

// The library keeps what its extensions treat as special characters in global tables while it parses.
static pthread_mutex_t parsing = PTHREAD_MUTEX_INITIALIZER;

static _Noreturn void give_up(halyard_markdown *document) {
  // Reading a parsed document copies a few texts, and has nowhere to jump to.
  if (document->is_parsed) abort();
  longjmp(document->out_of_memory, 1);
}

static void *take(size_t size) {
  halyard_markdown *document = current;
  if (size > SIZE_MAX / 2) give_up(document);
  size_t whole = (size + 2 * alignment - 1) / alignment * alignment;
  struct chunk *chunk = document->chunks;
  if (chunk == NULL || chunk->size - chunk->used < whole) {
    size_t room = whole > chunk_size ? whole : chunk_size;
    if (room > document->left) give_up(document);
    chunk = calloc(1, sizeof(struct chunk) + room);
    if (chunk == NULL) give_up(document);
    document->left -= room;
    chunk->size = room;
    chunk->next = document->chunks;
    document->chunks = chunk;
  }
  unsigned char *piece = chunk->bytes + chunk->used;
  chunk->used += whole;
  // In front of each piece stands its size, for when it grows.
  *(size_t *)piece = size;
  return piece + alignment;
}

static void *allocate(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 2 / size) give_up(current);
  return take(count * size);
}

static void *reallocate(void *old, size_t size) {
  size_t old_size = old == NULL ? 0 : *(size_t *)((unsigned char *)old - alignment);
  if (old != NULL && size <= old_size) return old;
  void *piece = take(size);
  if (old != NULL) memcpy(piece, old, old_size);
  return piece;
}

static void release(void *piece) { (void)piece; }

static cmark_mem memory = {allocate, reallocate, release};

static void parse(halyard_markdown *document, const char *bytes, size_t count) {
  // Without tables, whose time grows with the square of their width: the links in their cells are found all the same.
  static const char *const extensions[] = {"autolink", "strikethrough", "tasklist"};
  cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_SOURCEPOS | CMARK_OPT_FOOTNOTES, &memory);
  for (size_t index = 0; index < sizeof extensions / sizeof *extensions; index++) {
    cmark_syntax_extension *extension = cmark_find_syntax_extension(extensions[index]);
    if (extension != NULL) cmark_parser_attach_syntax_extension(parser, extension);
  }
  cmark_parser_feed(parser, bytes, count);
  document->root = cmark_parser_finish(parser);
}

halyard_markdown *halyard_markdown_parse(const char *bytes, size_t count, size_t most_memory) {
  halyard_markdown *document = calloc(1, sizeof *document);
  if (document == NULL) return NULL;
  document->left = most_memory;
  pthread_mutex_lock(&parsing);
  cmark_gfm_core_extensions_ensure_registered();
  current = document;
  int failed = setjmp(document->out_of_memory);
  if (failed == 0) parse(document, bytes, count);
  pthread_mutex_unlock(&parsing);
  if (failed == 0) {
    document->is_parsed = 1;
    document->left = SIZE_MAX;
    return document;
  }
  halyard_markdown_close(document);
  return NULL;
}

cmark_node *halyard_markdown_root(halyard_markdown *document) { return document->root; }

void halyard_markdown_close(halyard_markdown *document) {
  while (document->chunks != NULL) {
    struct chunk *next = document->chunks->next;
    free(document->chunks);
    document->chunks = next;
  }
  free(document);
  current = NULL;
}
