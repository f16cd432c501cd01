# Summarises what tools/manycalls wrote, as one does in R: all calls of a cell
# together; mean, sd, half of the 95 % interval of the normal distribution,
# quartiles and extremes.
#
#   Rscript summarise.R DIR plain    as MooBench does: read.csv2 of all columns but the first, one array of everything with a name for each value
#   Rscript summarise.R DIR tuned    scan of the one column that is needed, one cell at a time
#   Rscript summarise.R DIR binary   readBin, one cell at a time: what it takes when no text has to be parsed
#
# The values are read as double: an int32 ends at 2.1 s of ns.
args <- commandArgs(trailingOnly = TRUE)
dir <- args[1]
how <- args[2]

files <- sort(list.files(file.path(dir, if (how == "binary") "binary" else "text"), full.names = TRUE))
cell <- sub("-.*", "", basename(files))
cells <- unique(cell)
calls <- file.size(list.files(file.path(dir, "binary"), full.names = TRUE)[1]) / 4

describe <- function(x) {
  c(mean = mean(x), sd = sd(x), ci = qnorm(0.975) * sd(x) / sqrt(length(x)),
    quantile(x, c(0.25, 0.5, 0.75)), max = max(x), min = min(x))
}

read.plain <- function(f) {
  results <- read.csv2(f, header = FALSE, nrows = calls, quote = "", comment.char = "",
    colClasses = c("NULL", "numeric", "numeric", "numeric"),
    col.names = c("thread", "duration", "heap", "collections"))
  results[["duration"]]
}
read.tuned <- function(f) scan(f, list(NULL, 0, NULL, NULL), nmax = calls, sep = ";", quote = "", quiet = TRUE)[[2]]
read.binary <- function(f) readBin(f, "integer", n = calls, size = 4, endian = "little")

if (how == "plain") {
  loops <- length(files) / length(cells)
  everything <- array(dim = c(length(cells), loops * calls), dimnames = list(cells, 1:(loops * calls)))
  for (i in seq_along(cells))
    for (loop in 1:loops)
      everything[i, ((loop - 1) * calls + 1):(loop * calls)] <- read.plain(files[cell == cells[i]][loop])
  figures <- sapply(seq_along(cells), function(i) describe(everything[i, ]))
} else {
  read <- if (how == "tuned") read.tuned else read.binary
  figures <- sapply(cells, function(c) describe(unlist(lapply(files[cell == c], read))))
}
colnames(figures) <- cells
print(formatC(figures, format = "f", digits = 4, width = 8), quote = FALSE)
