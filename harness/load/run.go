package load

import (
	"context"
	"errors"
)

// Run sends a load and waits for what is under way at its end, at most for the
// timeout. It returns an error if the load can't be sent (all that is wrong with
// it, at once), if we ourselves ran out of ports or files, and promptly that of
// ctx when it ends.
func Run(ctx context.Context, l Load) (*Result, error) {
	return nil, errors.New("not yet")
}
