# Reference values of Slope and Bend: Rscript curve.R > curve.txt
# R 4.2 with its base packages. Five sizes in each of six blocks; block 6 has no 50.
x <- c(rep(c(5, 10, 20, 35, 50), 5), 5, 10, 20, 35)
block <- c(rep(1:5, each = 5), rep(6, 4))
y <- c(
  3.31, 3.62, 4.24, 5.37, 6.49, 3.28, 3.58, 4.31, 5.18, 6.21, 3.35, 3.71, 4.52, 5.66, 6.93,
  3.29, 3.66, 4.19, 5.31, 6.44, 3.33, 3.59, 4.37, 5.25, 6.58, 3.30, 3.64, 4.33, 5.41)
values <- function(name, fit, column, clear) {
  X <- model.matrix(fit); e <- resid(fit); h <- hatvalues(fit)
  bread <- solve(crossprod(X))
  hc3 <- sqrt((bread %*% crossprod(X * (e / (1 - h))) %*% bread)[column, column])
  r <- resid(clear); u <- tapply(r * e / sum(r^2), block, sum); k <- length(u)
  s <- summary(fit)$coefficients
  cat(name, sprintf("%.17g", c(s[column, 1], s[column, 2], hc3, fit$df.residual, sqrt(k / (k - 1) * sum(u^2)), k - 1)), "\n")
}
line <- lm(y ~ x)
z <- x - mean(x)
values("slope", line, 2, lm(x ~ 1))
values("bend", lm(y ~ z + I(z^2)), 3, lm(I(z^2) ~ z))
