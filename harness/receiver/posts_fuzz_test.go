package receiver

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// FuzzRequests has each protocol take whole requests. One request in a thousand bytes has no more
// than a few thousand records, and an answer.
func FuzzRequests(f *testing.F) {
	for i, c := range spoken {
		f.Add(uint8(i), "", c.kind, []byte(c.body))
		f.Add(uint8(i), "gzip", c.kind, zipped([]byte(c.body)))
	}
	var receivers []*posts
	for _, c := range spoken {
		receivers = append(receivers, receiverOf(f, c.source))
	}
	answers := []int{
		http.StatusOK, http.StatusAccepted, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType,
	}
	f.Fuzz(func(t *testing.T, which uint8, encoding, kind string, body []byte) {
		i := int(which) % len(spoken)
		c, s := spoken[i], receivers[i]
		req := httptest.NewRequest(c.method, c.path, bytes.NewReader(body))
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Content-Encoding", encoding)
		before, answer := s.snapshot().Records, httptest.NewRecorder()
		s.handle(answer, req)
		records := s.snapshot().Records - before
		if !slices.Contains(answers, answer.Code) {
			t.Errorf("status %d", answer.Code)
		}
		if most := int64(len(body)) + 1; records < 0 || encoding == "" && records > most {
			t.Errorf("%d records in %d bytes", records, len(body))
		}
	})
}

// receiverOf is one without a socket that takes no more than a MiB, so that fuzzing it unpacks no more.
func receiverOf(t testing.TB, source string) *posts {
	t.Helper()
	s := openTest(t, source, nil, "").(*posts)
	s.most = 1 << 20
	return s
}

// FuzzConnections has whatever bytes come by a connection: heads, chunks, HTTP/2's frames. The
// connection ends when its sender does.
func FuzzConnections(f *testing.F) {
	for _, c := range spoken {
		f.Add([]byte(plain(c.method, c.path, c.kind, c.body)))
	}
	for _, c := range frames() {
		f.Add([]byte(c.in))
	}
	s := receiverOf(f, "otlp")
	f.Fuzz(func(t *testing.T, in []byte) {
		ours, theirs := net.Pipe()
		c := &conn{Conn: ours, n: s.network}
		if !s.admit(c, 0) {
			t.Fatal("it is not admitted")
		}
		s.incoming <- &postsConn{conn: c}
		_ = theirs.SetDeadline(time.Now().Add(time.Minute))
		go func() {
			_, _ = io.Copy(io.Discard, theirs)
		}()
		_, _ = theirs.Write(in)
		theirs.Close()
		for begin := time.Now(); s.connections() > 0; time.Sleep(10 * time.Microsecond) {
			if time.Since(begin) > 30*time.Second {
				t.Fatal("the connection has not ended")
			}
		}
	})
}
