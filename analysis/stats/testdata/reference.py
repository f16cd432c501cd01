#!/usr/bin/env python3
"""Reference values of the tests, from scipy 1.x: python3 reference.py > reference.json

michelson holds the first ten rows of the NIST StRD data set "Michelso";
sleep is Student's own (1908), as in R's data set of that name, for which R's
t.test(..., paired = TRUE) prints t = -4.0621, df = 9, p-value = 0.002833.
"""
import json
import numpy as np
from scipy import stats

michelson = [299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88]
sleep1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
sleep2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
base = [56.1, 55.9, 56.4, 57.0, 56.2, 55.8]
cost = [2072.0, 2051.3, 2090.8, 2110.4, 2066.6, 2049.9]
short = [12.0, 13.5, 11.8, 12.2]


def one(xs, level):
    xs = np.array(xs)
    n, m, s = len(xs), xs.mean(), xs.std(ddof=1)
    t = m / (s / np.sqrt(n))
    lo, hi = stats.t.interval(level, n - 1, m, s / np.sqrt(n))
    return dict(n=n, value=m, sd=s, low=lo, high=hi, t=t, df=n - 1, p=2 * stats.t.sf(abs(t), n - 1))


def ratio(x, y, level):
    r = one(np.log(np.array(x) / np.array(y)), level)
    for k in ("value", "low", "high"):
        r[k] = np.exp(r[k])
    return r


def welch(x, y, level):
    r = stats.ttest_ind(x, y, equal_var=False)
    ci = r.confidence_interval(level)
    return dict(n=min(len(x), len(y)), value=np.mean(x) - np.mean(y), sd=np.sqrt((np.var(x, ddof=1) + np.var(y, ddof=1)) / 2),
                low=ci.low, high=ci.high, t=r.statistic, df=r.df, p=r.pvalue)


diff = np.array(cost) - np.array(base)
out = dict(
    tails=[dict(t=t, df=df, p=stats.t.sf(t, df)) for t, df in
           [(0.5, 1), (2.262157162854099, 9), (12.5, 4), (40, 9), (60, 29), (250, 14), (-1.3, 7), (1.959963984540054, 1e6)]],
    quantiles=[dict(p=p, df=df, t=stats.t.isf(p, df)) for p, df in
               [(0.025, 1), (0.025, 9), (0.05, 18), (0.05, 1999998), (0.005, 4), (0.025 / 6, 14), (1e-6, 9), (0.3, 2.5), (0.975, 9)]],
    mean=one(michelson, 0.95), mean99=one(michelson, 0.99),
    sleep=one(np.array(sleep1) - np.array(sleep2), 0.95),
    paired=one(diff, 1 - 0.05 / 4), ratio=ratio(cost, base, 0.9),
    welch=welch(cost, short, 0.95), welchsleep=welch(sleep1, sleep2, 0.95),
    binomial=[dict(n=n, k=k, p=stats.binom.cdf(k, n, 0.5)) for n, k in [(6, 0), (10, 1), (15, 3), (30, 9)]],
)
print(json.dumps(out, indent=1, default=float))
