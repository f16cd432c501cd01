// Package compare sets campaigns beside each other: yesterday's and today's, or
// those of several versions.
//
// Each campaign is one night. What a cell costs in it is the logarithm of its
// ratio to its own reference, which was measured in the same blocks, so that the
// night's own speed cancels; what two nights differ by is the difference of these
// logarithms, d = l_new - l_old, with
//
//	SE² = SE_old² + SE_new² [+ 2 s²],  df by Satterthwaite (1946),
//
// s² being the variance between nights, which only a history knows: the sample
// variance of the nights of the current level less the mean of their own SE²,
// not below 0. Without a history it is not in the intervals, which are then about
// these two nights and not about any two.
//
// SE and degrees of freedom are those of the campaigns' own intervals: that of a
// sized scenario keeps the spread and the degrees of freedom of its pilot.
//
// Verdicts are read from intervals at 1 - 0.05/m, m the compared cells of one
// scenario, metric and factor level; equivalence within the margin is shown by
// two one-sided tests (Schuirmann 1987) at 0.05/m; printed p values are Holm's
// (1979).
package compare
