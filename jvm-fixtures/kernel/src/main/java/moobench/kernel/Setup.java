package moobench.kernel;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a fixture is set up with. Each key that is read must be there, and no other may: what a value is by default, and which
 * ones make sense, is known to who sends them. Here they are only kept within what a fixture can hold.
 */
public final class Setup {
    private final Message request;
    private final Set<String> known = new LinkedHashSet<>();

    /** The setup that a request asks for. */
    public Setup(Message request) {
        this.request = request;
    }

    /** Refuses keys that were not read; called before the fixture makes anything. */
    public void end() {
        request.only(known.toArray(new String[0]));
    }

    /** The class that is called. */
    public String target() {
        return text("target");
    }

    /** How deep a call goes. */
    public int depth() {
        return count("depth");
    }

    /** How long a call is busy. */
    public long methodTimeNs() {
        return ns("method_time");
    }

    /** How what is busy waits. */
    public String busyWait() {
        return text("busy_wait");
    }

    /** A text that is not empty. */
    public String text(String key) {
        known.add(key);
        return request.require(key);
    }

    /** A text that may be empty. */
    public String textOrNone(String key) {
        known.add(key);
        return request.given(key).trim();
    }

    /** A number of what there must be one of at least. */
    public int count(String key) {
        return small(key, 1);
    }

    /** A number of what there may be none of. */
    public int countOrNone(String key) {
        return small(key, 0);
    }

    private int small(String key, int least) {
        long value = large(key, least);
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(request.verb() + ": " + key + " must be at most " + Integer.MAX_VALUE + ", not " + value);
        }
        return (int) value;
    }

    /** A number that is at least so large, and may be larger than an int. */
    public long large(String key, long least) {
        known.add(key);
        return request.integer(key, least);
    }

    /** A time in ns, 0 for none. */
    public long ns(String key) {
        return large(key, 0);
    }

    /** A choice of two. */
    public boolean flag(String key) {
        String value = text(key);
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(request.verb() + ": " + key + " must be true or false, not " + value);
        }
        return value.equals("true");
    }
}
