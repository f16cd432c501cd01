/**
 * Events of threads: who entered and left which method, of which object, when. They are kept in order, one by one, where
 * {@link moobench.probes.Probe} keeps records of whole executions.
 */
package moobench.probes.events;
