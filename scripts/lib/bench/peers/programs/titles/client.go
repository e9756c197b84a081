package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
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

var errLoop = errors.New("redirect loop")

type client struct {
	http    *http.Client
	timeout time.Duration
	readers sync.Pool
}

func newClient(concurrency int, timeout time.Duration) *client {
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: -1}
	transport := &http.Transport{
		DialContext:         dialer.DialContext,
		MaxIdleConns:        0,
		MaxIdleConnsPerHost: concurrency,
		IdleConnTimeout:     5 * time.Minute,
		ReadBufferSize:      32 << 10,
		// Decompressed here, so that what is left of a body is drained as it came.
		DisableCompression: true,
	}
	return &client{
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		timeout: timeout,
	}
}

func (c *client) resolve(link string) *row {
	result := &row{Link: link}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	if err := c.follow(ctx, link, result); err != nil {
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

func (c *client) follow(ctx context.Context, link string, result *row) error {
	address := link
	for {
		response, err := c.get(ctx, address)
		if err != nil {
			return err
		}
		location := response.Header.Get("Location")
		if location == "" || !isRedirect(response.StatusCode) {
			result.Final, result.Status = address, response.StatusCode
			err = c.read(response, result)
			drain(response.Body)
			return err
		}
		drain(response.Body)
		result.Hops = append(result.Hops, hop{address, response.StatusCode})
		next, err := response.Request.URL.Parse(location)
		if err != nil {
			return err
		}
		address = next.String()
		if len(result.Hops) > maxHops || visited(result.Hops, address) {
			return errLoop
		}
	}
}

func (c *client) get(ctx context.Context, address string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("User-Agent", "titles/1")
	return c.http.Do(request)
}

func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

func visited(hops []hop, address string) bool {
	for _, hop := range hops {
		if hop.URL == address {
			return true
		}
	}
	return false
}

func drain(body io.ReadCloser) {
	io.CopyN(io.Discard, body, maxDrain)
	body.Close()
}

// read finds the title and the card of an HTML page; of anything else there is nothing to find.
func (c *client) read(response *http.Response, result *row) error {
	contentType := response.Header.Get("Content-Type")
	if !strings.HasPrefix(contentType, "text/html") && !strings.HasPrefix(contentType, "application/xhtml") {
		return nil
	}
	var body io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		reader, err := c.gzipReader(body)
		if err != nil {
			return err
		}
		defer c.readers.Put(reader)
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
		if base, err := url.Parse(result.Final); err == nil {
			if absolute, err := base.Parse(image); err == nil {
				result.Image = absolute.String()
			}
		}
	}
	return nil
}

func (c *client) gzipReader(body io.Reader) (*gzip.Reader, error) {
	if pooled, ok := c.readers.Get().(*gzip.Reader); ok {
		return pooled, pooled.Reset(body)
	}
	return gzip.NewReader(body)
}
