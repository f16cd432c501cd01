package moobench.probes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import moobench.kernel.Swapper;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;
import moobench.probes.patterns.SignaturePattern;

/**
 * Switches the probes of {@link Listed} by a list of patterns, and costs what Kieker's adaptive monitoring costs: an answer
 * is kept per signature until the list changes; a signature without an answer walks the list, newest first, one thread at a
 * time. It begins with {@code -Dmoobench.probe.load="+ pattern; - pattern"}, or with nothing if the probe's stage is inactive.
 *
 * <p>Other than with Kieker, what no pattern matches is not monitored. Nobody knows who will ask the list: a change tells of
 * no classes and no methods, and none is known to be instrumented.
 */
public final class ListSwapper implements Swapper {
    private static final Map<String, Boolean> ANSWERS = new ConcurrentHashMap<>();
    /** The oldest first; guarded by itself. */
    private static final List<Entry> LIST = atStart();

    /** For {@code -Dmoobench.swapper}. */
    public ListSwapper() {}

    private static List<Entry> atStart() {
        if (!Probe.isActive()) {
            return new ArrayList<>();
        }
        try {
            return entries(PatternList.parse(ProbeSettings.load()));
        } catch (IllegalArgumentException e) {
            System.err.println("moobench: error: -Dmoobench.probe.load: " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    private static List<Entry> entries(PatternList list) {
        List<Entry> entries = new ArrayList<>();
        for (String signed : list.patterns()) {
            entries.add(new Entry(signed.startsWith("+"), SignaturePattern.parse(signed.substring(1))));
        }
        return entries;
    }

    /** Whether the newest pattern that matches the signature includes it. */
    public static boolean isActive(String signature) {
        Boolean answer = ANSWERS.get(signature);
        return answer != null ? answer : find(signature);
    }

    private static boolean find(String signature) {
        synchronized (LIST) {
            Signature wanted = Signature.parse(signature);
            boolean active = false;
            for (int i = LIST.size() - 1; i >= 0; i--) {
                if (LIST.get(i).pattern.matches(wanted)) {
                    active = LIST.get(i).include;
                    break;
                }
            }
            ANSWERS.put(signature, active);
            return active;
        }
    }

    @Override
    public Swap set(boolean on, String text) {
        long begin = System.nanoTime();
        SignaturePattern pattern = SignaturePattern.unsigned(text);
        synchronized (LIST) {
            LIST.removeIf(e -> e.pattern.toString().equals(pattern.toString()));
            LIST.add(new Entry(on, pattern));
            ANSWERS.clear();
        }
        return since(begin);
    }

    @Override
    public Swap remove(String text) {
        long begin = System.nanoTime();
        SignaturePattern pattern = SignaturePattern.unsigned(text);
        synchronized (LIST) {
            LIST.removeIf(e -> e.pattern.toString().equals(pattern.toString()));
            ANSWERS.clear();
        }
        return since(begin);
    }

    @Override
    public Swap replace(List<String> patterns) {
        long begin = System.nanoTime();
        List<Entry> entries = entries(PatternList.of(patterns));
        synchronized (LIST) {
            LIST.clear();
            LIST.addAll(entries);
            ANSWERS.clear();
        }
        return since(begin);
    }

    @Override
    public List<String> patterns() {
        synchronized (LIST) {
            List<String> all = new ArrayList<>();
            LIST.forEach(e -> all.add((e.include ? "+ " : "- ") + e.pattern));
            return all;
        }
    }

    @Override
    public List<String> instrumented() {
        return new ArrayList<>();
    }

    private static Swap since(long begin) {
        return Swap.since(begin, 0, new ArrayList<>());
    }

    private static final class Entry {
        final boolean include;
        final SignaturePattern pattern;

        Entry(boolean include, SignaturePattern pattern) {
            this.include = include;
            this.pattern = pattern;
        }
    }
}
