/** What gives Arthas its commands, and reads its counts. */
package moobench.bridge.arthas;
