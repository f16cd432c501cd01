// Package infer answers a question about samples: an estimate with its standard error and degrees
// of freedom, an interval, a test, the detectable effect, a verdict, and caveats. It returns
// numbers and reasons; other packages write the sentences.
//
// All figures of an answer follow from one [Scale]: value, standard error, degrees of freedom. So
// interval, test and verdict can't contradict each other, and the same question about the same data
// gives the same bits wherever it is asked.
//
// A value of a sample is the mean of one invocation, never of one call.
package infer

import "math"

// Power is the power at which detectable effects are given.
const Power = 0.8

// FewInvocations is the number of invocations below which each number carries a caveat: with fewer,
// no order-statistic interval at 95 % exists, and a t interval relies on normality, which so few
// values can't show.
const FewInvocations = 6

// Share is each question's part of alpha when m questions are answered together (Bonferroni).
func Share(alpha float64, m int) float64 { return alpha / float64(max(1, m)) }

// Level is the confidence of each of m two-sided intervals whose simultaneous level is 1 - alpha
// (Dunn 1961). Levels are computed only here, so that equal questions have equal bits.
func Level(alpha float64, m int) float64 { return 1 - Share(alpha, m) }

// AlikeP is the two-sided p of the sign test if all n differences have one sign, which limits the
// confidence in values without variation.
func AlikeP(n int) float64 { return math.Pow(2, 1-float64(n)) }
