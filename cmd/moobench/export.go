package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/exchange"
	"moobench/cmd/internal/outcome"
)

const aboutExport = `Writes a campaign, one invocation, or those of one cell, for other tools:

  parquet  a folder of tidy tables: invocations (a row each), metrics (a row for
           each that an invocation observed, with its unit, over the window that
           reports take), columns and names, which say what samples mean, and every
           sample. For R, pandas, DuckDB
  csv      the same without the samples
  jtl      Apache JMeter's result file as CSV, a line for each request, of one
           invocation or cell of scenarios that send requests. elapsed is from the
           sending to the last byte, in whole milliseconds; what is not known is 0,
           empty or null, as JMeter writes it. JMeter's own report of it:
           jmeter -g FILE -o FOLDER

Tables have all invocations, also those that failed or don't count, and the column
counts.

`

func exportVerb(t *terminal) *cobra.Command {
	var format, output string
	var choice exchange.Choice
	cmd := &cobra.Command{
		Use:   "export DIR --format FORMAT [--invocation ID | --cell LABEL] [-o PATH]",
		Short: "write what was measured for R, pandas, DuckDB, or in the format of JMeter",
		Long:  aboutExport + exitHelp,
		Example: `  moobench export results/runs/2026-11-21T030000Z-nightly --format parquet -o tables
  moobench export results/runs/2026-11-21T030000Z-nightly --format csv
  moobench export results/runs/2026-11-21T030000Z-nightly --format jtl --cell probe/hotswap/collect > requests.jtl`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			formats := exchange.Exported()
			i := slices.IndexFunc(formats, func(f exchange.Export) bool { return f.Name == format })
			if i < 0 {
				return outcome.Usage(fmt.Errorf("unknown --format %q: there are %s", format, strings.Join(exchange.ExportedNames(), ", ")))
			}
			if choice.Invocation != "" && choice.Cell != "" {
				return outcome.Usage(errors.New("--invocation and --cell both choose: give one of them"))
			}
			return formats[i].Write(cmd.Context(), t.console(), args[0], choice, output)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", strings.Join(exchange.ExportedNames(), ", "))
	f.StringVar(&choice.Invocation, "invocation", "", "one invocation, such as b0001.s02.r0")
	f.StringVar(&choice.Cell, "cell", "", "all invocations of a cell, such as probe/hotswap/collect")
	f.StringVarP(&output, "output", "o", "", "folder, or file of jtl (default <campaign>-<format>, and of jtl standard output)")
	return cmd
}
