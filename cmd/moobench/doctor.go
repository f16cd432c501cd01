package main

import "github.com/spf13/cobra"

func doctorVerb(t *terminal) *cobra.Command { return &cobra.Command{Use: "doctor"} }
