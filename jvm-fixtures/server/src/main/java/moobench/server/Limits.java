package moobench.server;

/** The limits by which a server closes connections of its own accord, out of the way. */
final class Limits {
    /** Connections that wait to be accepted; the kernel's {@code net.core.somaxconn} caps it. */
    static final int BACKLOG = 4096;
    /** After which a connection without a request is closed: never, for a load. */
    static final int IDLE_S = 24 * 60 * 60;

    private Limits() {}

    /** Lifts those of the JDK's server, which reads them once, when its first class is initialised. */
    static void liftJdk() {
        set("sun.net.httpserver.maxIdleConnections", "1000000");
        set("sun.net.httpserver.idleInterval", String.valueOf(IDLE_S));
        set("sun.net.httpserver.nodelay", "true");
    }

    private static void set(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
