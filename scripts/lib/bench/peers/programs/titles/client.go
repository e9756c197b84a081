package main

import (
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html/charset"
)

const (
	maxHops = 20
	maxBody = 1 << 20
	// Reading up to so much of what is left of a body is cheaper than another connection.
	maxDrain = 256 << 10
)

var (
	errLoop = errors.New("redirect loop")
	readers sync.Pool
)

func newClient(concurrency int, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: -1}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         dialer.DialContext,
			MaxIdleConns:        0,
			MaxIdleConnsPerHost: concurrency,
			IdleConnTimeout:     5 * time.Minute,
			ReadBufferSize:      32 << 10,
			// Decompressed here, so that what is left of a body is drained as it came.
			DisableCompression: true,
		},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			for _, request := range before {
				if len(before) > maxHops || *request.URL == *next.URL {
					return errLoop
				}
			}
			return nil
		},
		Timeout: timeout,
	}
}

func resolve(client *http.Client, link string) *row {
	result := &row{Link: link}
	if err := fetch(client, result); err != nil {
		result.Failure = "other"
		var network net.Error
		if errors.Is(err, errLoop) {
			result.Failure = "loop"
		} else if errors.As(err, &network) && network.Timeout() {
			result.Failure = "dead"
		}
		result.Message = err.Error()
	}
	return result
}

func fetch(client *http.Client, result *row) error {
	request, err := http.NewRequest(http.MethodGet, result.Link, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("User-Agent", "titles/1")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer drain(response.Body)
	result.Final, result.Status = response.Request.URL.String(), response.StatusCode
	return read(response, result)
}

func drain(body io.ReadCloser) {
	io.CopyN(io.Discard, body, maxDrain)
	body.Close()
}

// read finds the title and the card of an HTML page; of anything else there is nothing to find.
func read(response *http.Response, result *row) error {
	contentType := response.Header.Get("Content-Type")
	if !strings.HasPrefix(contentType, "text/html") && !strings.HasPrefix(contentType, "application/xhtml") {
		return nil
	}
	var body io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		reader, err := gzipReader(body)
		if err != nil {
			return err
		}
		defer readers.Put(reader)
		body = reader
	}
	decoded, err := charset.NewReader(io.LimitReader(body, maxBody), contentType)
	if err != nil {
		return err
	}
	if err := readHead(decoded, result); err != nil {
		return err
	}
	if image := result.Card.Image; image != "" {
		if absolute, err := response.Request.URL.Parse(image); err == nil {
			result.Image = absolute.String()
		}
	}
	return nil
}

func gzipReader(body io.Reader) (*gzip.Reader, error) {
	if pooled, ok := readers.Get().(*gzip.Reader); ok {
		return pooled, pooled.Reset(body)
	}
	return gzip.NewReader(body)
}
