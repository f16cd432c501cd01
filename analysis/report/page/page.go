// Package page writes documents as self-contained HTML pages: they need no network, and no JavaScript for their
// tables and drawings. With the script of Apache ECharts they also have interactive charts. The same document
// gives the same bytes.
package page

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"moobench/analysis/report/doc"
	"moobench/results/safefile"
)

// The parts of a page.
var (
	//go:embed page.tmpl
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
	//go:embed charts.js
	draw string
	//go:embed lanes.js
	lanes string
)

// Options are the inputs of a page besides its document.
type Options struct {
	// EChartsJS is echarts.min.js of the pinned release, as FindECharts returns it. Without it, or with any
	// other script, a page only has the drawings of its charts, and says so.
	EChartsJS []byte
	// Version of the program; "" if unknown.
	Version string
	// Foot is the footer of every printed page.
	Foot string
}

// page has the data of the template.
type page struct {
	*doc.Document
	Title, Program, NoCharts      string
	Links                         []*doc.Section
	Head, Body                    template.HTML
	Style                         template.CSS
	Script, Charts, Draw, ECharts template.JS
}

// Render returns the page, and its size in bytes without the ECharts script.
func Render(d *doc.Document, o Options) (text []byte, size int, err error) {
	rendered := doc.HTML(d)
	p := page{
		Document: d, Title: cmp.Or(doc.OneLine(d.Title), "moobench"), Program: doc.OneLine("moobench " + o.Version),
		Links: rendered.Links, Style: template.CSS(style) + foot(o.Foot), Script: template.JS(script),
		Head: template.HTML(rendered.Head), Body: template.HTML(rendered.Body), // the renderer has escaped every label
	}
	if strings.Contains(rendered.Body, "data-lanes=") {
		p.Script += template.JS(lanes)
	}
	switch err := checkECharts(o.EChartsJS); {
	case len(rendered.Charts) == 0:
	case len(o.EChartsJS) == 0:
		p.NoCharts = "The ECharts script was not found when this page was written: " +
			"it has its tables and drawings, and no interactive charts."
	case err != nil:
		p.NoCharts = "The ECharts script that this page was offered is not the one it knows (" + err.Error() +
			"): it has its tables and drawings, and no interactive charts."
	default:
		charts, err := json.Marshal(rendered.Charts) // Marshal escapes every <: it can stand in a script
		if err != nil {
			return nil, 0, fmt.Errorf("writing the options of charts: %w", err)
		}
		p.Charts, p.Draw, p.ECharts = template.JS(charts), template.JS(draw), template.JS(o.EChartsJS)
	}
	t, err := template.New("page").Funcs(template.FuncMap{"line": doc.OneLine}).Parse(layout)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the page's template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return nil, 0, fmt.Errorf("writing the page: %w", err)
	}
	return b.Bytes(), b.Len() - len(p.ECharts), nil
}

// foot styles the footer of every printed page. Only letters, digits and a few marks get into the style sheet:
// a name can't become more than a name.
func foot(text string) template.CSS {
	if text == "" {
		return ""
	}
	text = regexp.MustCompile(`[^a-zA-Z0-9 .:_·-]`).ReplaceAllString(text, "_")
	return template.CSS(`@page { @bottom-left { content: "` + text + `"; font: 8pt sans-serif; } ` +
		`@bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }`)
}

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
	var js []byte
	var err error
	name := filepath.Join(localRepository, filepath.FromSlash(echartsJar))
	switch {
	case explicit != "":
		name = "the ECharts script " + explicit
		if js, err = safefile.Read(explicit, mostScript); err != nil {
			return nil, fmt.Errorf("reading the ECharts script: %w", err)
		}
	case localRepository == "":
		return nil, errors.New("looking for the ECharts script: the local Maven repository is not known")
	default:
		if js, err = readZip(name, echartsEntry); err != nil {
			return nil, fmt.Errorf("looking for the ECharts script of the artifact org.webjars:echarts:5.5.0: %w", err)
		}
	}
	if err := checkECharts(js); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return js, nil
}

// mostScript is the largest size of a script in bytes: several times that of the pinned one.
const mostScript = 16 << 20

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
	return io.ReadAll(io.LimitReader(f, mostScript))
}

// checkECharts checks that a script is the pinned one, and can stand inside a script element.
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
