package importer

import (
	"context"
	"io"
)

// UntilDone reads until ctx is done: a file may be long, and an import is to end
// when it is asked to.
func UntilDone(ctx context.Context, in io.Reader) io.Reader { return untilDone{ctx, in} }

type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(p)
}
