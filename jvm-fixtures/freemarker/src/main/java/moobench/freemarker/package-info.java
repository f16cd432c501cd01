/** The fixture freemarker: a template engine that renders fixed pages. */
package moobench.freemarker;
