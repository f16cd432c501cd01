/** Our probe as an aspect, for AspectJ to weave. */
package moobench.bridge.aspectj;
