package receiver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moobench/harness/peer"
	"moobench/refusal"
)

// Limits for an agent's answer: its size, and the wait until its count stands still, since an agent may count with
// a delay.
const (
	scrapeMost  = 16 << 20 // bytes
	scrapeWait  = 5 * time.Second
	scrapePause = 100 * time.Millisecond
)

var scrapeKeys = []Key{
	{
		Name: "http", Type: Template,
		About: "URL on this machine that is asked before the program ends; " +
			"{port} is the one that args name or, where they name none, that of [server]",
	},
	{
		Name: "metric", Type: Text,
		About: "name of the metric that counts records, the values of all its series added up; " +
			"with {labels}, that series",
	},
}

// scrape asks the subject for a metric in the text format of Prometheus.
type scrape struct {
	passive
	url, metric string
	records     int64
}

// unnamed is the number of records if the answer does not contain the metric. An agent without records may omit
// it.
const unnamed = -1

func tellScrape(_ string, t Told) (Source, error) {
	s := &scrape{url: t.the("http"), metric: t.the("metric"), records: unnamed}
	if s.metric == "" {
		return nil, refusal.New(fmt.Errorf("want a metric in the answers of %s", s.url),
			`such as metric = "agent_records_total"`)
	}
	return s, peer.CheckURL(s.url)
}

// Ask implements Asker: it asks until two consecutive answers are equal.
func (s *scrape) Ask(ctx context.Context) (err error) {
	client := fromHere()
	for end := time.Now().Add(scrapeWait); ; time.Sleep(scrapePause) {
		before := s.records
		if s.records, err = s.once(ctx, &client); err != nil {
			return fmt.Errorf("asking %s: %w", s.url, err)
		}
		if s.records == before || time.Now().After(end) {
			return nil
		}
	}
}

// fromHere returns a client for this machine that uses a new connection for each request.
func fromHere() http.Client {
	return http.Client{
		Timeout:   scrapeWait,
		Transport: &http.Transport{DialContext: (&net.Dialer{Control: onlyHere}).DialContext, DisableKeepAlives: true},
	}
}

// onlyHere refuses connections that leave this machine.
func onlyHere(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not on this machine", address)
	}
	return nil
}

func (s *scrape) once(ctx context.Context, client *http.Client) (int64, error) {
	answer, err := get(ctx, client, s.url)
	if err != nil {
		return 0, err
	}
	defer answer.Close()
	return valueOf(s.metric, io.LimitReader(answer, scrapeMost))
}

// get returns the body of a URL's answer, which the caller must close.
func get(ctx context.Context, client *http.Client, url string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("it answers %s", answer.Status)
	}
	return answer.Body, nil
}

// valueOf adds up the values of a metric's series; without any series it returns unnamed.
func valueOf(metric string, r io.Reader) (int64, error) {
	sum, named := 0.0, false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, textLine)
	for lines.Scan() {
		rest, found := strings.CutPrefix(lines.Text(), metric)
		if labels := strings.LastIndexByte(rest, '}'); labels >= 0 && strings.HasPrefix(rest, "{") {
			rest = " " + rest[labels+1:]
		}
		fields := strings.Fields(rest)
		if !found || len(fields) == 0 || !strings.ContainsAny(rest[:1], " \t") {
			continue
		}
		x, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || !(x >= 0) || sum+x > 1<<53 {
			return 0, fmt.Errorf("%.100q is not a number of records", lines.Text())
		}
		sum, named = sum+x, true
	}
	if !named {
		sum = unnamed
	}
	return int64(math.Round(sum)), lines.Err()
}

// Finish implements Source.
func (s *scrape) Finish(context.Context) (Tally, error) {
	if s.records == unnamed {
		return Tally{Untimed: true}, fmt.Errorf("asking %s: no metric is called %s in its answer", s.url, s.metric)
	}
	return Tally{Records: s.records, Untimed: true}, nil
}
