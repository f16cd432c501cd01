/**
 * The agent that puts our probe into classes: when they are loaded, or into running code and out again. Which methods, is
 * said by signature patterns.
 */
package moobench.hotswap;
