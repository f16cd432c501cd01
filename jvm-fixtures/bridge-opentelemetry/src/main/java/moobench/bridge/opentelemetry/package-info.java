/** OpenTelemetry's SDK, set up and called by hand. */
package moobench.bridge.opentelemetry;
