/**
 * Events of JDK Flight Recorder put by hand around the monitored method, in the ways in which an application may do that, and
 * a swapper that switches recordings on and off.
 */
package moobench.bridge.jfr;
