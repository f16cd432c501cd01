/** The fixture h2: an embedded database with a fixed mix of queries. */
package moobench.h2;
