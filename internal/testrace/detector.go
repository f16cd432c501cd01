//go:build race

package testrace

const detector = true
