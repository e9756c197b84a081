package main

import (
	"io"
	"strings"

	"golang.org/x/net/html"
)

// readHead takes the first title and card that stand in the head, and reads no further.
func readHead(page io.Reader, result *row) error {
	tokenizer := html.NewTokenizer(page)
	for {
		switch tokenizer.Next() {
		case html.ErrorToken:
			if err := tokenizer.Err(); err != io.EOF {
				return err
			}
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, hasAttributes := tokenizer.TagName()
			switch string(name) {
			case "title":
				if tokenizer.Next() == html.TextToken && result.Title == "" {
					result.Title = strings.Join(strings.Fields(string(tokenizer.Text())), " ")
				}
			case "meta":
				if hasAttributes {
					readMeta(tokenizer, &result.Card)
				}
			case "body":
				return nil
			}
		case html.EndTagToken:
			if name, _ := tokenizer.TagName(); string(name) == "head" {
				return nil
			}
		}
	}
}

func readMeta(tokenizer *html.Tokenizer, found *card) {
	var property, content string
	for more := true; more; {
		var key, value []byte
		key, value, more = tokenizer.TagAttr()
		switch string(key) {
		case "property", "name":
			property = strings.ToLower(string(value))
		case "content":
			content = string(value)
		}
	}
	var field *string
	switch property {
	case "og:title":
		field = &found.Title
	case "og:description":
		field = &found.Description
	case "og:image":
		field = &found.Image
	default:
		return
	}
	if *field == "" {
		*field = content
	}
}
