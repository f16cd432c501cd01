package machine

import "io/fs"

// look is a tree in which each file is read once, however many knobs ask for
// it: most of them want to know which CPUs there are, and that alone is four
// files of each CPU, before and after every invocation. It serves for one look
// at the settings, in which nothing is written.
type look struct {
	fs.FS
	files map[string]seen
}

type seen struct {
	data []byte
	err  error
}

func lookAt(root fs.FS) look { return look{root, map[string]seen{}} }

// ReadFile implements fs.ReadFileFS.
func (l look) ReadFile(path string) ([]byte, error) {
	f, known := l.files[path]
	if !known {
		f.data, f.err = fs.ReadFile(l.FS, path)
		l.files[path] = f
	}
	return f.data, f.err
}
