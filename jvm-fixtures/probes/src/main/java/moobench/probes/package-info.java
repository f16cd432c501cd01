/**
 * Our own probe: one body behind three doors. It is compiled in with its check ({@link moobench.probes.Manual}), put in when
 * a class is loaded, or swapped into running code.
 */
package moobench.probes;
