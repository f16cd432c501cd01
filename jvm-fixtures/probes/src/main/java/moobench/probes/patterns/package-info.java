/** Which methods are monitored, said by signed patterns in the grammar of Kieker's adaptive monitoring. */
package moobench.probes.patterns;
