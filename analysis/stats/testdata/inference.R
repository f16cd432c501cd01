# Reference values of the tests of samples, ranks, ratios, equivalence and
# quantiles, from R's own functions or, where R has none, from the formula:
#
#   Rscript inference.R > inference.json        the data below
#   Rscript inference.R data.txt                two lines for each case, x and y
#
# R's wilcox.test refuses exact p values with ties: there all splits, and all
# signs, are counted out.

num <- function(v) {
  v <- as.numeric(v)
  ifelse(is.finite(v), sprintf("%.17g", v), sprintf("\"%s\"", ifelse(is.na(v), "NaN", ifelse(v > 0, "Inf", "-Inf"))))
}
json <- function(v) {
  if (is.list(v)) {
    if (length(v) == 0) return("{}")
    parts <- vapply(v, json, "")
    if (is.null(names(v))) return(paste0("[", paste(parts, collapse = ",\n"), "]"))
    return(paste0("{", paste0("\"", names(v), "\":", parts, collapse = ",\n"), "}"))
  }
  if (is.character(v)) return(paste0("\"", v, "\""))
  if (is.logical(v)) return(tolower(as.character(v)))
  if (length(v) == 1 && is.null(attr(v, "vector"))) return(num(v))
  paste0("[", paste(num(v), collapse = ","), "]")
}
vec <- function(v) structure(v, vector = TRUE)

alternatives <- c("two.sided", "less", "greater")
goName <- c(two.sided = "two-sided", less = "less", greater = "greater")
tail1 <- function(alt, level) if (alt == "two.sided") (1 - level) / 2 else 1 - level
both <- function(alt, below, above) switch(alt, less = below, greater = above, min(1, 2 * min(below, above)))

ttest <- function(x, y, alt, level, ...) {
  r <- t.test(x, y, alternative = alt, conf.level = level, ...)
  estimate <- if (length(r$estimate) == 2) r$estimate[1] - r$estimate[2] else r$estimate
  list(value = estimate, t = r$statistic, df = r$parameter, p = r$p.value, low = r$conf.int[1], high = r$conf.int[2])
}

# The largest k with P(fewer than k) at most a.
depth <- function(a, quantile, probability, ...) {
  k <- quantile(a, ...)
  if (probability(k, ...) <= a) k + 1 else k
}

# The k-th of the sorted values from either end; none of k = 0.
bounds <- function(sorted, k, alt, level, fewer) {
  n <- length(sorted)
  sides <- if (alt == "two.sided") 2 else 1
  list(low = if (k == 0 || alt == "less") -Inf else sorted[k],
       high = if (k == 0 || alt == "greater") Inf else sorted[n + 1 - k],
       level = if (k == 0) 1 else if (is.na(fewer)) level else 1 - sides * fewer)
}

mannWhitney <- function(x, y, alt, level) {
  m <- length(x); n <- length(y)
  r <- rank(c(x, y))
  w <- sum(r[seq_len(m)]) - m * (m + 1) / 2
  exact <- m * n <= 2500
  if (!exact) {
    p <- wilcox.test(x, y, alternative = alt, exact = FALSE)$p.value
  } else if (!anyDuplicated(c(x, y))) {
    p <- wilcox.test(x, y, alternative = alt, exact = TRUE)$p.value
  } else {
    if (choose(m + n, m) > 2e6) return(NULL)
    all <- colSums(matrix(r[combn(m + n, m)], nrow = m)) - m * (m + 1) / 2
    p <- both(alt, mean(all <= w), mean(all >= w))
  }
  d <- sort(outer(x, y, "-"))
  a <- tail1(alt, level)
  if (exact) {
    k <- depth(a, qwilcox, pwilcox, m, n)
    fewer <- if (k > 0) pwilcox(k - 1, m, n) else 0
  } else {
    k <- max(0, floor(m * n / 2 + 0.5 + qnorm(a) * sqrt(m * n * (m + n + 1) / 12)))
    fewer <- NA
  }
  c(list(statistic = w, p = p, exact = exact, nx = m, ny = n, value = median(d)), bounds(d, k, alt, level, fewer))
}

signedRank <- function(x, y, alt, level) {
  d <- x - y
  moved <- d[d != 0]
  n <- length(moved)
  if (n == 0) return(NULL)
  r <- rank(abs(moved))
  v <- sum(r[moved > 0])
  exact <- n <= 200
  if (!exact) {
    p <- wilcox.test(moved, alternative = alt, exact = FALSE)$p.value
  } else if (!anyDuplicated(abs(moved))) {
    p <- wilcox.test(moved, alternative = alt, exact = TRUE)$p.value
  } else {
    if (n > 18) return(NULL)
    all <- 0
    for (one in r) all <- c(all, all + one)
    p <- both(alt, mean(all <= v), mean(all >= v))
  }
  s <- outer(d, d, "+")
  s <- sort(s[!lower.tri(s)]) / 2
  a <- tail1(alt, level)
  all <- length(d)
  if (all <= 200) {
    k <- depth(a, qsignrank, psignrank, all)
    fewer <- if (k > 0) psignrank(k - 1, all) else 0
  } else {
    k <- max(0, floor(all * (all + 1) / 4 + 0.5 + qnorm(a) * sqrt(all * (all + 1) * (2 * all + 1) / 24)))
    fewer <- NA
  }
  c(list(statistic = v, p = p, exact = exact, nx = n, ny = n, value = median(s)), bounds(s, k, alt, level, fewer))
}

signTest <- function(x, y, alt, level) {
  d <- x - y
  n <- sum(d != 0)
  if (n == 0) return(NULL)
  s <- sum(d > 0)
  k <- depth(tail1(alt, level), qbinom, pbinom, length(d), 0.5)
  fewer <- if (k > 0) pbinom(k - 1, length(d), 0.5) else 0
  c(list(statistic = s, p = binom.test(s, n, alternative = alt)$p.value, exact = TRUE, nx = n, ny = n, value = median(d)),
    bounds(sort(d), k, alt, level, fewer))
}

# Variances of the means, their covariance, and degrees of freedom.
parts <- function(x, y, paired) {
  nx <- length(x); ny <- length(y)
  r <- mean(x) / mean(y); vx <- var(x) / nx; vy <- var(y) / ny
  if (paired) return(list(r = r, vx = vx, vy = vy, cov = cov(x, y) / nx, df = nx - 1))
  list(r = r, vx = vx, vy = vy, cov = 0, df = (vx + r^2 * vy)^2 / (vx^2 / (nx - 1) + r^4 * vy^2 / (ny - 1)))
}

fieller <- function(x, y, paired, level) {
  q <- parts(x, y, paired)
  t2 <- qt((1 - level) / 2, q$df)^2
  a <- mean(y)^2 - t2 * q$vy
  b <- -2 * (mean(x) * mean(y) - t2 * q$cov)
  c <- mean(x)^2 - t2 * q$vx
  d <- b^2 - 4 * a * c
  roots <- if (d >= 0) sort((-b + c(-1, 1) * sqrt(d)) / (2 * a)) else c(-Inf, Inf)
  list(value = q$r, low = roots[1], high = roots[2], bounded = a > 0, exclusive = a < 0 && d >= 0, df = q$df)
}

delta <- function(x, y, paired, level) {
  q <- parts(x, y, paired)
  se <- sqrt(q$vx - 2 * q$r * q$cov + q$r^2 * q$vy) / abs(mean(y))
  h <- qt((1 - level) / 2, q$df, lower.tail = FALSE) * se
  t <- (q$r - 1) / se
  list(value = q$r, t = t, df = q$df, p = 2 * pt(-abs(t), q$df), low = q$r - h, high = q$r + h)
}

expOf <- function(e) {
  for (k in c("value", "low", "high")) e[[k]] <- exp(e[[k]])
  e
}

tost <- function(value, se, df, low, high, alpha, scale = identity) {
  h <- qt(alpha, df, lower.tail = FALSE) * se
  list(plow = pt((value - low) / se, df, lower.tail = FALSE), phigh = pt((value - high) / se, df),
       low = scale(value - h), high = scale(value + h), equivalent = value - h > low && value + h < high)
}

effects <- function(x, y) {
  v <- length(x) + length(y) - 2
  sp <- sqrt(((length(x) - 1) * var(x) + (length(y) - 1) * var(y)) / v)
  j <- if (v < 300) gamma(v / 2) / (sqrt(v / 2) * gamma((v - 1) / 2)) else exp(lgamma(v / 2) - lgamma((v - 1) / 2)) / sqrt(v / 2)
  cliff <- mean(sign(outer(x, y, "-")))
  list(hedges = j * (mean(x) - mean(y)) / sp, cliff = cliff, a12 = (cliff + 1) / 2)
}

perAlternative <- function(f) {
  r <- lapply(alternatives, f)
  names(r) <- goName
  Filter(Negate(is.null), r)
}

one <- function(x, y, level) {
  positive <- all(x > 0) && all(y > 0)
  out <- list(x = vec(x), y = vec(y), level = level,
    student = perAlternative(function(alt) ttest(x, y, alt, level, var.equal = TRUE)),
    welch = perAlternative(function(alt) ttest(x, y, alt, level)),
    mannwhitney = perAlternative(function(alt) mannWhitney(x, y, alt, level)),
    fieller = fieller(x, y, FALSE, level), delta = delta(x, y, FALSE, level), effects = effects(x, y))
  q <- parts(x, y, FALSE)
  w <- t.test(x, y)
  margin <- 1.5 * abs(mean(x) - mean(y)) + w$stderr
  out$margin <- margin
  out$welchtost <- tost(mean(x) - mean(y), w$stderr, w$parameter, -margin, margin, 1 - level)
  probs <- c(0, 0.01, 0.1, 1 / 3, 0.5, 0.7, 0.9, 0.99, 1)
  out$probs <- vec(probs)
  for (type in c(6, 7)) out[[paste0("type", type)]] <- vec(unname(quantile(x, probs, type = type)))
  if (positive) out$logratio <- expOf(ttest(log(x), log(y), "two.sided", level))
  if (length(x) != length(y)) return(out)
  se <- sd(x - y) / sqrt(length(x))
  out <- c(out, list(
    paired = perAlternative(function(alt) ttest(x, y, alt, level, paired = TRUE)),
    signedrank = perAlternative(function(alt) signedRank(x, y, alt, level)),
    sign = perAlternative(function(alt) signTest(x, y, alt, level)),
    pairedfieller = fieller(x, y, TRUE, level), paireddelta = delta(x, y, TRUE, level),
    pairedtost = tost(mean(x - y), se, length(x) - 1, -margin, margin, 1 - level)))
  if (positive) {
    l <- log(x / y)
    out$pairedratio <- expOf(ttest(l, 0 * l, "two.sided", level, paired = TRUE))
    limit <- log(1.25)
    out$ratiotost <- tost(mean(l), sd(l) / sqrt(length(l)), length(l) - 1, -limit, limit, 1 - level, exp)
  }
  out
}

set.seed(20140901)
cases <- list(
  # Student 1908, as R's data set sleep.
  list(sleep$extra[1:10], sleep$extra[11:20], 0.95),
  # Ties within, between, and zero differences.
  list(c(3, 5, 5, 7, 9, 9, 12), c(1, 5, 6, 7, 7, 3, 8), 0.95),
  list(c(1, 1, 2, 2, 3), c(2, 3, 3, 4, 4, 4, 5, 9), 0.9),
  list(c(4, 4, 4, 6), c(4, 4, 5, 6, 6, 6, 6, 7, 8), 0.99),
  # A mean below the line that can't be told from 0, on either side of the bounds.
  list(c(5.1, 4.8, 5.5, 5.3, 4.9), c(0.4, -0.6, 0.9, -0.1, 0.2), 0.95),
  list(c(0.1, -0.3, 0.2, 0.05, -0.1), c(0.4, -0.6, 0.9, -0.1, 0.2), 0.95),
  # p values of 1e-31 and far below.
  list(rnorm(25, 8), rnorm(25), 0.95),
  list(2072 + rnorm(15), 56 + rnorm(15), 0.9875),
  list(1e4 + rnorm(40), 1 + runif(40), 0.95),
  list(5000 + rnorm(120), 50 + rnorm(90), 0.95),
  # Unequal sizes and variances, skewed.
  list(exp(rnorm(9)), 2 * exp(2 * rnorm(23)), 0.95),
  list(rnorm(3), rnorm(2), 0.9),
  list(rnorm(50, 100, 3), rnorm(50, 101, 1), 0.95),
  # Beyond the exact distributions, with and without ties.
  list(rnorm(60, 10), rnorm(55, 10.4), 0.95),
  list(round(2 * rnorm(260, 20)), round(2 * rnorm(260, 20.2)), 0.95),
  list(rnorm(210, 30), rnorm(210, 30.1), 0.99),
  # Pairs: two alone, skewed ones, many ties, and ratios near 1.
  list(rnorm(2, 100, 3), rnorm(2, 103, 8), 0.95),
  list(exp(rnorm(13)), exp(rnorm(13)), 0.9),
  list(sample(1:6, 15, TRUE), sample(1:6, 15, TRUE), 0.95),
  list(2000 + rnorm(10), 1990 + 5 * rnorm(10), 0.99)
)

from <- commandArgs(trailingOnly = TRUE)
if (length(from) == 1) {
  lines <- lapply(strsplit(readLines(from), " "), as.numeric)
  cases <- lapply(seq(1, length(lines), 2), function(i) list(lines[[i]], lines[[i + 1]], 0.95))
}
options(warn = -1)

tails <- list()
for (df in c(1, 2.5, 9, 30, 1e3, 1999998)) {
  for (t in c(0.1, 1, 2.0718, 10.0721, 40, 300)) {
    tails[[length(tails) + 1]] <- list(t = t, df = df, p = pt(t, df, lower.tail = FALSE))
  }
}
quantiles <- list()
for (df in c(1, 2.5, 9, 18, 1e3, 1999998)) {
  for (p in c(1e-12, 1e-4, 0.025 / 6, 0.05, 0.3)) {
    quantiles[[length(quantiles) + 1]] <- list(p = p, df = df, t = qt(p, df, lower.tail = FALSE))
  }
}
ps <- c(0.01, 0.04, NA, 0.03, 0.005, 0.04, 1, 1e-31, 0.6, 0.2)
adjust <- function(method) vec(p.adjust(ps, method))
cat(json(list(
  cases = lapply(cases, function(c) one(c[[1]], c[[2]], c[[3]])),
  tails = tails, quantiles = quantiles, ps = vec(ps),
  holm = adjust("holm"), bh = adjust("BH"),
  binomial = lapply(list(c(6, 0), c(30, 9), c(1000, 300), c(100000, 49000)), function(c)
    list(n = c[1], k = c[2], p = pbinom(c[2], c[1], 0.5)))
)), "\n")
