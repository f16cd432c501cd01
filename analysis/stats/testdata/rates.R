# Reference values of the intervals and the power of rates: Rscript rates.R > rates.txt
# R 4.2 with its base packages.
show <- function(name, ...) cat(name, sprintf("%.17g", c(...)), "\n")
garwood <- function(k, level) {
  a <- (1 - level) / 2
  c(if (k > 0) qgamma(a, k) else 0, qgamma(a, k + 1, lower.tail = FALSE))
}
scattered <- function(k, s, phi, df, level) garwood(k / phi, 1 - 2 * pnorm(-qt((1 + level) / 2, df))) * phi / s
show("scattered", scattered(138, 1.2e6, 11.4, 9, 0.95), scattered(7, 1e6, 1, Inf, 0.95), scattered(0, 2e6, 2.5, 18, 0.99))

# Two arms of runs: twice the smaller tail, the ratios whose deviance by the
# dispersion is below F's quantile, and the ratios that exchanging runs within
# pairs does not reject, by the test itself at each ratio of a subset.
a <- c(3, 0, 12, 5, 1, 40, 2, 9, 4, 3); sa <- c(9e4, 1e5, 1.1e5, 1e5, 1e5, 1e5, 9.5e4, 1e5, 1e5, 1e5)
b <- c(0, 1, 0, 2, 0, 3, 0, 0, 1, 0); sb <- rep(1.2e5, 10)
A <- sum(a); SA <- sum(sa); B <- sum(b); SB <- sum(sb)
show("exact", min(1, 2 * min(pbinom(A, A + B, SA / (SA + SB)), pbinom(A - 1, A + B, SA / (SA + SB), lower.tail = FALSE))))
pearson <- sum((a - sa * A / SA)^2 / (sa * A / SA), (b - sb * B / SB)^2 / (sb * B / SB)); phi <- max(1, pearson / 18)
deviance <- function(ratio) {
  p <- ratio * SA / (ratio * SA + SB)
  2 * (A * log(A / (A + B) / p) + B * log(B / (A + B) / (1 - p)))
}
quasi <- function(level) {
  out <- function(l) deviance(exp(l)) / phi - qf(level, 1, 18)
  seen <- log(A / SA / (B / SB))
  exp(c(uniroot(out, c(seen - 20, seen), tol = 1e-14)$root, uniroot(out, c(seen, seen + 20), tol = 1e-14)$root))
}
clopper <- function(level) poisson.test(c(A, B), c(SA, SB), conf.level = level)$conf.int
signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), 10)))
p <- function(at) { d <- a / SA - at * b / SB; mean(abs(signs %*% d) >= abs(sum(d)) - 1e-12) }
subsets <- as.matrix(expand.grid(rep(list(0:1), 10)))[-1, ]
at <- (subsets %*% a / SA) / (subsets %*% b / SB)
at <- sort(unique(at[is.finite(at)]))
exchanged <- function(level) {
  keep <- sapply(at, p) > 1 - level + 1e-12
  c(if (all(keep)) 0 else min(at[keep]), if (keep[length(at)]) Inf else max(at[keep]))
}
both <- function(level) {
  i <- cbind(quasi(level), clopper(level), exchanged(level))
  c(min(i[1, ]), max(i[2, ]))
}
show("tests", p(1), deviance(1) / phi, phi)
show("ratio", both(0.9), both(0.8))

# The difference on the ellipse of events and ratio, by trying all of it.
between <- function(level) {
  r <- both(level); n <- A + B; m <- scattered(n, 1, phi, 18, level)
  g <- (r - 1) / (r * SA + SB); if (is.infinite(r[2])) g[2] <- 1 / SA
  seen <- (A / SA - B / SB) / n
  t <- seq(0, pi / 2, length.out = 2e6 + 1)
  edge <- function(x, more) {
    f <- seen + (x - seen) * cos(t)
    rbind((n + (m[2] - n) * sin(t)) * f, (n + (m[1] - n) * sin(t)) * f)
  }
  c(min(edge(g[1])), max(edge(g[2])))
}
show("difference", between(0.9), between(0.8))

# The power of the exact test with all counts written out.
power <- function(r, base, sa, sb, alpha) {
  m1 <- r * sa; m2 <- base * sb
  k1 <- 0:qpois(1e-14, m1, lower.tail = FALSE); k2 <- 0:max(1, qpois(1e-14, m2, lower.tail = FALSE))
  reject <- outer(k1, k2, function(i, j) pbinom(i - 1, i + j, sa / (sa + sb), lower.tail = FALSE) <= alpha / 2)
  sum(outer(dpois(k1, m1), dpois(k2, m2)) * reject)
}
detectable <- function(base, sa, sb, alpha, wanted)
  uniroot(function(r) power(r, base, sa, sb, alpha) - wanted, c(base, base + 60 / sa), tol = 1e-16)$root
show("detectable", detectable(0, 1.2e6, 1.2e6, 0.05, 0.8), detectable(2e-6, 1.2e6, 1.3e6, 0.05, 0.8),
  detectable(2e-5, 1e6, 2e6, 0.05 / 3, 0.8), detectable(0, 1e3, 4e3, 0.1, 0.9))
