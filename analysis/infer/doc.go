// Package infer answers a question about samples: an estimate with its standard
// error and degrees of freedom, an interval, a test, the effect that would have
// been found, a verdict, and caveats. It hands on numbers and reasons; sentences
// are made elsewhere.
//
// Every figure of one answer follows from one [Scale]: value, standard error,
// degrees of freedom. So an interval, a test and a verdict can't contradict each
// other, and two ways through the program that ask the same of the same data get
// the same bits.
//
// A value of a sample is the mean of one invocation, never of one call.
package infer

import "math"

// Power is the chance with which a detectable effect is found.
const Power = 0.8

// FewInvocations is the number of invocations below which each number carries a
// caveat: with fewer, an order-statistic interval at 95 % does not exist, and a t
// interval leans on a normal distribution that so few values can't show.
const FewInvocations = 6

// Share is the part of alpha that each of m questions has which are answered
// together (Bonferroni).
func Share(alpha float64, m int) float64 { return alpha / float64(max(1, m)) }

// Level is the confidence of each of m two-sided intervals that hold together at
// 1 - alpha (Dunn 1961). It is the only place where a level is computed, so that
// equal questions have equal bits.
func Level(alpha float64, m int) float64 { return 1 - Share(alpha, m) }

// AlikeP is the two-sided p of the sign test when all of n differences are alike,
// which is what values without variation have to show.
func AlikeP(n int) float64 { return math.Pow(2, 1-float64(n)) }
