/**
 * The fixture server: HTTP on 127.0.0.1, and a probe that is switched on and off while it answers.
 *
 * <p>Servers lose connections by themselves, and a client can't tell that from a loss that a probe causes. These limits are
 * therefore lifted, by {@link moobench.server.Limits} and {@link moobench.server.Jetty}:
 *
 * <ul>
 *   <li>{@code sun.net.httpserver.maxIdleConnections}, 200: of more kept-alive connections than these, the JDK's server closes
 *       each as soon as it has answered, also while the next request is on its way;
 *   <li>{@code sun.net.httpserver.idleInterval}, 30 s, and Jetty's idleTimeout, 30 s: a connection without a request for so
 *       long is closed, likewise;
 *   <li>{@code sun.net.httpserver.nodelay}, false: head and body of an answer are two writes, and the second would wait for
 *       the client's delayed acknowledgement, 40 ms. Jetty has TCP_NODELAY;
 *   <li>the backlog, 50 (Jetty: acceptQueueSize): connections over it wait for a second until the client's kernel asks again.
 *       It is 4096, but the kernel takes no more than {@code net.core.somaxconn}.
 * </ul>
 *
 * A property that was set on the command line stays as it is.
 */
package moobench.server;
