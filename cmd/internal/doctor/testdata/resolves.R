# Reference values of TestResolvedWithin: Rscript resolves.R > resolves.json
# R 4.2 with its base packages.
delta <- function(n) {
  power.t.test(n = n, sd = 1, sig.level = 0.05, power = 0.8, type = "paired", strict = TRUE, tol = 1e-12)$delta
}
ns <- c(2, 3, 4, 5, 6, 8, 10, 20, 30, 57, 110, 400, 2000)
lines <- sprintf("  {\"blocks\": %d, \"delta\": %.17g}", ns, sapply(ns, delta))
cat("[\n", paste(lines, collapse = ",\n"), "\n]\n", sep = "")
