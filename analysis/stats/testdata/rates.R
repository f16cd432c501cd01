# Reference values of the intervals and the power of rates: Rscript rates.R > rates.txt
# R 4.2 with its base packages.
show <- function(name, ...) cat(name, sprintf("%.17g", c(...)), "\n")
garwood <- function(k, level) {
  a <- (1 - level) / 2
  c(if (k > 0) qgamma(a, k) else 0, qgamma(a, k + 1, lower.tail = FALSE))
}
scattered <- function(k, s, phi, df, level) garwood(k / phi, 1 - 2 * pnorm(-qt((1 + level) / 2, df))) * phi / s
show("scattered", scattered(138, 1.2e6, 11.4, 9, 0.95), scattered(7, 1e6, 1, Inf, 0.95), scattered(0, 2e6, 2.5, 18, 0.99))

mover <- function(k1, s1, k2, s2, level) {
  x <- k1 / s1; y <- k2 / s2; i <- garwood(k1, level) / s1; j <- garwood(k2, level) / s2
  x - y + c(-1, 1) * sqrt(c((x - i[1])^2 + (j[2] - y)^2, (i[2] - x)^2 + (y - j[1])^2))
}
show("difference", mover(11, 1.32e6, 0, 1.31e6, 0.95), mover(0, 1e6, 0, 1.2e6, 0.9), mover(120, 1e6, 80, 2e6, 0.99))

# The signs flipped: the bounds by the test itself, at each mean of a subset.
x <- c(3, 0, 12, 5, 1, 40, 2, 9, 4, 3); y <- c(0, 1, 0, 2, 0, 3, 0, 0, 1, 0)
d <- x - y; n <- length(d)
signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), n)))
p <- function(at) mean(abs(signs %*% (d - at)) >= abs(sum(d - at)) - 1e-9)
subsets <- as.matrix(expand.grid(rep(list(0:1), n)))[-1, ]
at <- sort(unique(as.vector(subsets %*% d) / rowSums(subsets)))
flip <- function(level) {
  # Just outside of a bound the test rejects, at the bound it does not.
  keep <- sapply(at, p) > 1 - level + 1e-12
  range(at[keep])
}
show("flips", flip(0.95), flip(0.9), flip(1 - 0.05 / 3))

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
