/** Micrometer, Dropwizard Metrics and Brave, set up and called by hand. Each library comes with the variants that call it. */
package moobench.bridge.meters;
