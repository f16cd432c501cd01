/**
 * Kieker's own probe compiled in by hand, a swapper that switches it by Kieker's adaptive monitoring, and a writer for Kieker
 * that counts records and drops them.
 */
package moobench.bridge.kieker;
