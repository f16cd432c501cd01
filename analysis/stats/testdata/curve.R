# Reference values of Slope and Bend: Rscript curve.R > curve.txt
# R 4.2 with its base packages. Five sizes in each of six blocks; block 6 has no 50.
x <- c(rep(c(5, 10, 20, 35, 50), 5), 5, 10, 20, 35)
block <- c(rep(1:5, each = 5), rep(6, 4))
y <- c(
  3.31, 3.62, 4.24, 5.37, 6.49, 3.28, 3.58, 4.31, 5.18, 6.21, 3.35, 3.71, 4.52, 5.66, 6.93,
  3.29, 3.66, 4.19, 5.31, 6.44, 3.33, 3.59, 4.37, 5.25, 6.58, 3.30, 3.64, 4.33, 5.41)
# CR2 and its degrees of freedom with the whole matrices, as Bell and McCaffrey
# (2002) write them; without clusters each point is one (HC2).
power <- function(M, p) { e <- eigen(M, symmetric = TRUE); e$vectors %*% (e$values^p * t(e$vectors)) }
values <- function(name, fit, column, cluster) {
  X <- model.matrix(fit); n <- nrow(X)
  l <- (X %*% solve(crossprod(X)))[, column]
  M <- diag(n) - X %*% solve(crossprod(X), t(X))
  P <- sapply(unique(cluster), function(g) {
    own <- cluster == g
    t(M[own, , drop = FALSE]) %*% power(M[own, own, drop = FALSE], -1/2) %*% l[own]
  })
  V <- P %*% t(P); y <- model.response(model.frame(fit))
  cat(name, sprintf("%.17g", c(coef(fit)[column], sqrt(t(y) %*% V %*% y), sum(diag(V))^2 / sum(V * V))), "\n")
}
line <- lm(y ~ x)
z <- x - mean(x)
curve <- lm(y ~ z + I(z^2))
values("slope", line, 2, block)
values("bend", curve, 3, block)
values("slope_points", line, 2, seq_along(y))
values("bend_points", curve, 3, seq_along(y))
