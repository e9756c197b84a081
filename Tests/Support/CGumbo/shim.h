#pragma once
#include <gumbo.h>

/* The children of an element; an empty list for other nodes. */
static inline const GumboVector *halyard_gumbo_children(const GumboNode *node) {
  static const GumboVector none;
  switch (node->type) {
    case GUMBO_NODE_DOCUMENT: return &node->v.document.children;
    case GUMBO_NODE_ELEMENT: return &node->v.element.children;
    default: return &none;
  }
}

static inline const GumboNode *halyard_gumbo_child(const GumboVector *children, unsigned int index) {
  return (const GumboNode *)children->data[index];
}

/* The element of a node in the namespace of HTML, templates left out; NULL for others. */
static inline const GumboElement *halyard_gumbo_html_element(const GumboNode *node) {
  if (node->type != GUMBO_NODE_ELEMENT) return 0;
  return node->v.element.tag_namespace == GUMBO_NAMESPACE_HTML ? &node->v.element : 0;
}

/* The text of a text node, character data and white space included; NULL for others. */
static inline const char *halyard_gumbo_text(const GumboNode *node) {
  switch (node->type) {
    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_CDATA:
    case GUMBO_NODE_WHITESPACE: return node->v.text.text;
    default: return 0;
  }
}

static inline const char *halyard_gumbo_attribute(const GumboElement *element, const char *name) {
  const GumboAttribute *attribute = gumbo_get_attribute(&element->attributes, name);
  return attribute ? attribute->value : 0;
}

static inline GumboOutput *halyard_gumbo_parse(const unsigned char *bytes, size_t count) {
  return gumbo_parse_with_options(&kGumboDefaultOptions, (const char *)bytes, count);
}

static inline void halyard_gumbo_destroy(GumboOutput *output) {
  gumbo_destroy_output(&kGumboDefaultOptions, output);
}
