/**
 * What every fixture stands on: the control channel, the clock, the timed loop and the raw dump.
 *
 * <p>It has no dependencies, and nothing of it allocates, locks, formats or does I/O while a loop is timed.
 */
package moobench.kernel;
