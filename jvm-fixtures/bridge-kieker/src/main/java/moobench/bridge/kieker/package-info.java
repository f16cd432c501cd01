/**
 * Kieker's own probe compiled in by hand, a swapper that switches it by Kieker's adaptive monitoring, a writer for Kieker that
 * counts records and drops them, and a timer that reads no clock.
 */
package moobench.bridge.kieker;
