/** A script for BTrace, and what reads its count. */
package moobench.bridge.btrace;
