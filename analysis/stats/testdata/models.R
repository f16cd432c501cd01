# Reference values of the tests: Rscript models.R models.data > models.json
# R 4.2 with its base packages. Each line of the data is a name and its numbers.
fields <- strsplit(trimws(readLines(commandArgs(TRUE)[1])), " +")
d <- setNames(lapply(fields, function(f) as.numeric(f[-1])), sapply(fields, `[`, 1))
rows <- function(xs, n) split(xs, (seq_along(xs) - 1) %/% n)
results <- c()
options(warn = -1) # pt says that it is not exact far out
out <- function(name, ...) {
  xs <- ifelse(is.infinite(c(...)), sprintf("%g", sign(c(...)) * 1e308), sprintf("%.17g", c(...)))
  results <<- c(results, sprintf("\"%s\": [%s]", name, paste(xs, collapse = ", ")))
}
level <- d$level; a <- 1 - level; x <- d$x; y <- d$y

# P(T' > t) by integrating over W = chi2/df, from its own mode outwards.
noncentral <- function(t, df, ncp) {
  g <- function(w) dgamma(w, df / 2, df / 2, log = TRUE) + pnorm(t * sqrt(w) - ncp, lower.tail = FALSE, log.p = TRUE)
  # on the scale of u = log w, where the integrand has no pole at 0
  l <- function(u) g(exp(u)) + u
  grid <- c(-rev(exp(seq(log(1e-5), log(200), length.out = 4000))), 0, exp(seq(log(1e-5), log(20), length.out = 2000)))
  grid <- grid[is.finite(l(grid))]
  best <- which.max(l(grid))
  o <- optimize(l, grid[c(max(1, best - 1), min(length(grid), best + 1))], maximum = TRUE, tol = 1e-12)
  f <- function(u) { v <- exp(l(u) - o$objective); ifelse(is.finite(v), v, 0) }
  near <- range(grid[l(grid) > o$objective - 45])
  cuts <- sort(unique(c(seq(near[1], near[2], length.out = 40), o$maximum)))
  total <- 0
  for (i in seq_along(cuts)[-1]) total <- total + integrate(f, cuts[i - 1], cuts[i], rel.tol = 1e-13, abs.tol = 0, stop.on.error = FALSE)$value
  total * exp(o$objective)
}
out("noncentral", sapply(rows(d$noncentral, 3), function(r) noncentral(r[1], r[2], r[3])))
# R's own series, where it is good: its absolute error is about 1e-12.
central <- Filter(function(r) { p <- pt(r[1], r[2], r[3], lower.tail = FALSE); abs(r[3]) < 37 && p > 0.01 && p < 0.9999 }, rows(d$noncentral, 3))
out("noncentral where", unlist(central))
out("noncentral by pt", vapply(central, function(r) pt(r[1], r[2], r[3], lower.tail = FALSE), 0))

p <- rows(d$power, 4)
strict <- function(r, type) power.t.test(n = r[3], delta = r[1], sd = r[2], sig.level = r[4], type = type, strict = TRUE)$power
out("paired power", sapply(p, strict, "paired"))
out("one-sided power", sapply(p, function(r) power.t.test(n = r[3], delta = r[1], sd = r[2], sig.level = r[4], type = "paired", alternative = "one.sided")$power))
detectable <- function(n, type) power.t.test(n = n, power = 0.8, sd = 1, sig.level = a, type = type, strict = TRUE, tol = 1e-13)$delta
out("paired detectable", sapply(c(5, 10, 20, 30), detectable, "paired"))
out("two-sample detectable", sapply(c(5, 10, 20, 30), detectable, "two.sample"))
out("stein", sapply(rows(d$stein, 4), function(r) max(r[3], ceiling((qt(1 - r[4] / 2, r[3] - 1) * r[1] / r[2])^2))))

# Kalibera and Jones 2013, by their sums.
s <- d$shape; v <- array(d$levels, rev(s)) # sample, invocation, group
inv <- apply(v, c(2, 3), mean)
s1 <- mean(apply(v, c(2, 3), var))
means <- as.vector(inv); tt <- var(means) - s1 / s[3]
out("two levels", s1, tt, max(0, tt) / (max(0, tt) + s1))
uneven <- lapply(seq_along(means), function(i) { w <- d$levels[(i - 1) * s[3] + seq_len(s[3])]; w[seq_len(s[3] - i %% 3)] })
um <- sapply(uneven, mean); uv <- sapply(uneven, var); un <- sapply(uneven, length)
out("uneven levels", mean(uv), var(um) - mean(uv / un))

for (n in c("series", "alternating")) {
  z <- d[[n]]; k <- length(z)
  r <- acf(z, plot = FALSE, lag.max = k - 1)$acf[, 1, 1]
  out(paste(n, "lag 1"), r[2], 2 * pnorm(-abs((r[2] + 1 / k) / sqrt((k - 2)^2 / (k^2 * (k - 1))))))
}
# All orders of the first ten of the series.
up <- d$series[1:10] > median(d$series[1:10])
runs <- function(at) sum(diff(seq_along(up) %in% at) != 0) + 1
orders <- combn(10, sum(up), runs); counts <- table(orders)
out("runs", sum(counts[counts <= counts[[as.character(runs(which(up)))]]]) / length(orders))

rate <- rows(d$rates, 2)
out("rate", sapply(rate, function(r) poisson.test(r[1], r[2], max(1, r[1]) / r[2], conf.level = level)$conf.int))
for (alt in c("two.sided", "less", "greater")) {
  out(paste("rate ratio", alt), sapply(rows(d$ratios, 4), function(r) {
    test <- function(alt) poisson.test(r[c(1, 3)], r[c(2, 4)], alternative = alt, conf.level = level)
    t <- test(alt)
    # two-sided, twice the smaller tail, which agrees with the interval
    p <- if (alt == "two.sided") min(1, 2 * test("less")$p.value, 2 * test("greater")$p.value) else t$p.value
    c(t$estimate, t$conf.int, p)
  }))
}
k <- d$counts; S <- d$exposures; arm <- factor(d$arms)
expected <- S * ave(k, arm, FUN = sum) / ave(S, arm, FUN = sum)
chi2 <- sum((k - expected)^2 / expected); df <- length(k) - nlevels(arm)
out("dispersion", chi2, df, pchisq(chi2, df, lower.tail = FALSE))
m <- glm(k ~ arm + offset(log(S)), family = quasipoisson, control = list(epsilon = 1e-15))
# The dispersion in anova's own F is one iteration behind that of the fit.
scatter <- sum(residuals(m, "pearson")^2) / m$df.residual
df1 <- m$df.null - m$df.residual
F <- (m$null.deviance - m$deviance) / df1 / scatter
stopifnot(all.equal(F, anova(m, test = "F")$F[2], tolerance = 1e-6))
held <- F * scatter / max(1, scatter)
out("quasi-Poisson", held, m$df.residual, pf(held, df1, m$df.residual, lower.tail = FALSE), max(1, scatter))

# Runs exchanged within pairs, by their share of the arm's exposure; and all runs
# shared out anew, by what they have beyond the common rate.
one <- arm == levels(arm)[1]; diffs <- k[one] / sum(S[one]) - k[!one] / sum(S[!one])
signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(diffs))))
out("blocks permuted", mean(abs(signs %*% diffs) >= abs(sum(diffs)) - 1e-12))
beyond <- k - sum(k) / sum(S) * S
sums <- combn(length(k), sum(one), function(i) sum(beyond[i]))
out("splits permuted", mean(abs(sums) >= abs(sum(beyond[one])) - 1e-9))

X <- d$linex; Y <- d$liney
m <- lm(Y ~ X); co <- summary(m)$coefficients
out("line", co[1, 1], co[2, 1], co[2, 3], m$df.residual, co[2, 4])
C <- X - mean(X)
out("bend", coef(lm(Y ~ C + I(C^2)))[3])
f <- anova(m, lm(Y ~ factor(X)))
out("lack of fit", f$F[2], f$Df[2], f$Res.Df[2], f[["Pr(>F)"]][2])
out("fisher", sapply(rows(d$tables, 4), function(r) fisher.test(matrix(r, 2, byrow = TRUE))$p.value))

far <- list(c(5, 1, 10), c(300, 2, 18), c(1e6, 1, 12), c(0.3, 5, 1e6), c(60, 3, 400), c(1e-4, 1, 1))
out("F tails", sapply(far, function(r) pf(r[1], r[2], r[3], lower.tail = FALSE)))
out("chi tails", pchisq(c(3, 50, 300, 1200, 0.01), c(1, 9, 20, 100, 2), lower.tail = FALSE))
out("normal tails", pnorm(c(-1, 0, 1.96, 12, 37), lower.tail = FALSE))
cat("{\n ", paste(results, collapse = ",\n  "), "\n}\n", sep = "")
