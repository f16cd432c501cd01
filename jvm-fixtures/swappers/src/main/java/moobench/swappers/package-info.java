/** Other ways to swap our probe: what the hotswap agent is compared with. */
package moobench.swappers;
