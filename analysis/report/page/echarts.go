package page

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	// echartsDigest is the SHA-256 of echarts.min.js 5.5.0.
	echartsDigest = "42f8329d989b6f6539dd2b15bbdf0d82025762ac112fbb60dc57b27d7bcf3946"
	echartsJar    = "org/webjars/echarts/5.5.0/echarts-5.5.0.jar"
	echartsEntry  = "META-INF/resources/webjars/echarts/5.5.0/echarts.min.js"
)

// EChartsMaven are the coordinates of the WebJar that holds the script.
const EChartsMaven = "org.webjars:echarts:5.5.0"

// FindECharts returns the script that draws the interactive charts: the file
// named explicitly, or else the one in the WebJar in a local Maven repository.
// Its digest is checked.
func FindECharts(localRepository, explicit string) ([]byte, error) {
	if explicit != "" {
		js, err := os.ReadFile(explicit)
		if err != nil {
			return nil, fmt.Errorf("reading the ECharts script: %w", err)
		}
		if err := checkECharts(js); err != nil {
			return nil, fmt.Errorf("reading the ECharts script %s: %w", explicit, err)
		}
		return js, nil
	}
	if localRepository == "" {
		return nil, errors.New("looking for the ECharts script: the local Maven repository is not known")
	}
	jar := filepath.Join(localRepository, filepath.FromSlash(echartsJar))
	js, err := readZip(jar, echartsEntry)
	if err != nil {
		return nil, fmt.Errorf("looking for the ECharts script of the artifact org.webjars:echarts:5.5.0: %w", err)
	}
	if err := checkECharts(js); err != nil {
		return nil, fmt.Errorf("reading %s: %w", jar, err)
	}
	return js, nil
}

func readZip(file, entry string) ([]byte, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	f, err := z.Open(entry)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 16<<20))
}

// checkECharts makes sure that a script is the pinned one, which can stand
// inside a script element.
func checkECharts(js []byte) error {
	sum := sha256.Sum256(js)
	if got := hex.EncodeToString(sum[:]); got != echartsDigest {
		return fmt.Errorf("its SHA-256 is %s, want %s", got, echartsDigest)
	}
	if bytes.Contains(js, []byte("</script")) {
		return errors.New("it ends its own script element")
	}
	return nil
}
