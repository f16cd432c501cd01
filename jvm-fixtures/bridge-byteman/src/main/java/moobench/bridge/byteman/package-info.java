/** Our probe for Byteman's rules to call. */
package moobench.bridge.byteman;
