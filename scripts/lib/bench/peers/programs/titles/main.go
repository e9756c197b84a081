// Reads the titles and cards of a list of links, as one would write it in Go for a large list: a tuned Transport,
// workers, pooled readers, and a tokenizer that stops after the head.
// usage: titles LINKS ROWS CONCURRENCY TIMEOUT-SECONDS
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strconv"
	"sync"
	"time"
)

type row struct {
	Link    string `json:"link"`
	Final   string `json:"final,omitempty"`
	Status  int    `json:"status,omitempty"`
	Title   string `json:"title,omitempty"`
	Image   string `json:"image,omitempty"`
	Card    card   `json:"card"`
	Failure string `json:"failure,omitempty"`
	Message string `json:"message,omitempty"`
}

type card struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Image       string `json:"image,omitempty"`
}

func main() {
	concurrency, err := strconv.Atoi(os.Args[3])
	check(err)
	seconds, err := strconv.Atoi(os.Args[4])
	check(err)
	timeout := time.Duration(seconds) * time.Second

	input, err := os.Open(os.Args[1])
	check(err)
	file, err := os.Create(os.Args[2])
	check(err)
	output := bufio.NewWriterSize(file, 1<<16)

	client := newClient(concurrency, timeout)
	links := make(chan string, concurrency)
	rows := make(chan *row, concurrency)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for link := range links {
				rows <- resolve(client, link)
			}
		}()
	}
	go func() {
		scanner := bufio.NewScanner(input)
		for scanner.Scan() {
			links <- scanner.Text()
		}
		check(scanner.Err())
		close(links)
		workers.Wait()
		close(rows)
	}()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for row := range rows {
		check(encoder.Encode(row))
	}
	check(output.Flush())
	check(file.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
