/** Kieker's own probe compiled in by hand, and a writer for Kieker that counts records and drops them. */
package moobench.bridge.kieker;
