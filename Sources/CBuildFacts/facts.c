#include "facts.h"

// Given by Package.swift: only this file is compiled anew when it changes.
#ifndef HALYARD_COMMIT
#define HALYARD_COMMIT unknown
#endif

#define TEXT_OF(word) #word
#define TEXT(macro) TEXT_OF(macro)

const char *halyard_commit(void) {
  return TEXT(HALYARD_COMMIT);
}
