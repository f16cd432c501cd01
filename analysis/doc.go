// Package analysis answers the questions of a campaign: it reads results and
// knows no scenario. What it says of a cell rests on one value per invocation,
// compared within blocks.
package analysis
