/** Many small classes, into which probes go and out again: what turnaround and scalability are measured with. */
package moobench.classes;
