/**
 * GlassFish's tracing facility (PFL) around the monitored method: targets for its tool to enhance, the monitors that it calls,
 * and its second stage at load and in the running JVM.
 */
package moobench.bridge.pfl;
