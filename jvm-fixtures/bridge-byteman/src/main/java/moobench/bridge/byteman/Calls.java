package moobench.bridge.byteman;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import moobench.probes.Probe;

/**
 * The helper whose methods rules call. A rule of a method's entry and one of its exit share no variable, so that the token
 * of an execution lies on a stack of its thread. Byteman makes a helper each time a rule is triggered, of a class that it
 * extends.
 */
public class Calls {
    private static final Map<String, Integer> METHODS = new ConcurrentHashMap<>();
    private static final ThreadLocal<Tokens> TOKENS = ThreadLocal.withInitial(Tokens::new);

    /** For Byteman. */
    public Calls() {}

    /** An execution begins. */
    public void begin() {
        TOKENS.get().push(Probe.isGuarded() ? Probe.enterIfActive() : Probe.enter());
    }

    /** It ends, whichever way. What began before its rules came in has no token, and makes no record. */
    public void end(String signature) {
        Probe.exit(TOKENS.get().pop(), method(signature));
    }

    private static int method(String signature) {
        Integer known = METHODS.get(signature);
        return known != null ? known : METHODS.computeIfAbsent(signature, Probe::method);
    }

    private static final class Tokens {
        private long[] tokens = new long[64];
        private int size;

        void push(long token) {
            if (size == tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * size);
            }
            tokens[size++] = token;
        }

        long pop() {
            return size == 0 ? Probe.OFF : tokens[--size];
        }
    }
}
