package moobench.hotswap;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import moobench.kernel.Weaver;
import moobench.probes.Switches;
import moobench.probes.events.Events;
import moobench.probes.patterns.ClassPatterns;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;
import moobench.probes.patterns.SignaturePattern;

/**
 * Puts probes into loaded classes and takes them out again, as a list of patterns says. A change looks at the classes that its
 * pattern matches, and exchanges those in one call that have to change.
 *
 * <p>With a linger time, what is put in has a switch: a probe is switched off at once, and taken out when it has been off for
 * that time.
 */
final class Swaps implements Weaver {
    /** How often a class is looked for that is being defined while a pattern is added, and how soon at first. */
    private static final int TRIES = 6;
    private static final long FIRST_TRY_NS = 5_000_000;

    private final Instrumentation instrumentation;
    private final LoadedClasses index = new LoadedClasses();
    private final Class<?> probe;
    private final Transformer transformer;
    private final Exchange exchange;
    private final long lingerNs;
    private final ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1, Swaps::daemon);
    /** Whether a look at the probes that are off is due. */
    private boolean sweeps;

    /**
     * Swaps that are dormant until {@link #start}.
     *
     * @param probeClass internal name of the class that the injected code calls
     * @param injector what writes those calls
     * @param lingerNs how long a probe stays that was switched off; 0: it is taken out at once, and has no switch
     */
    Swaps(Instrumentation instrumentation, String probeClass, Injector injector, PatternList atStart, long lingerNs) {
        this.instrumentation = instrumentation;
        this.lingerNs = lingerNs;
        try {
            probe = Class.forName(probeClass.replace('/', '.'), false, Swaps.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("the agent doesn't see the probe: " + e, e);
        }
        transformer = new Transformer(injector, index, probe, atStart);
        exchange = new Exchange(instrumentation, transformer);
    }

    private static Thread daemon(Runnable run) {
        Thread thread = new Thread(run, "moobench-hotswap");
        thread.setDaemon(true);
        return thread;
    }

    /** From now on classes are instrumented at load; what is loaded already is entered, and swapped if the list says so. */
    synchronized void start() {
        instrumentation.addTransformer(transformer, true);
        index.fill(instrumentation.getAllLoadedClasses());
        Collection<Loaded> loaded = matching(PatternList.NONE.differences(transformer.list()));
        if (transformer.injector().plan().onlyAtLoad()) {
            loaded.forEach(type -> Events.note("class " + type.name + ": it was loaded before the agent came"));
        } else {
            report(apply(loaded, System.nanoTime()));
        }
    }

    @Override
    public synchronized Swap set(boolean on, String text) {
        long begin = System.nanoTime();
        if (text.trim().startsWith("-")) {
            throw new IllegalArgumentException("pattern \"" + text + "\": to take probes out, deactivate a + pattern");
        }
        SignaturePattern pattern = unsigned(text);
        return change(transformer.list().with(on, pattern), Collections.singletonList(pattern), begin);
    }

    @Override
    public synchronized Swap remove(String text) {
        long begin = System.nanoTime();
        SignaturePattern pattern = unsigned(text);
        return change(transformer.list().without(pattern), Collections.singletonList(pattern), begin);
    }

    @Override
    public synchronized Swap replace(List<String> patterns) {
        long begin = System.nanoTime();
        PatternList next = PatternList.of(patterns);
        List<SignaturePattern> differences = transformer.list().differences(next);
        return change(differences.isEmpty() ? transformer.list() : next, differences, begin);
    }

    private static SignaturePattern unsigned(String text) {
        String trimmed = text.trim();
        return SignaturePattern.parse(trimmed.startsWith("+") || trimmed.startsWith("-") ? trimmed.substring(1) : trimmed);
    }

    private Swap change(PatternList next, List<SignaturePattern> differences, long begin) {
        if (transformer.injector().plan().onlyAtLoad()) {
            throw new IllegalArgumentException("locks are instrumented while classes are loaded: say the patterns at start");
        }
        if (next == transformer.list()) {
            return apply(Collections.emptyList(), begin);
        }
        transformer.setList(next); // before the index is read
        return apply(matching(differences), begin);
    }

    private Collection<Loaded> matching(List<SignaturePattern> patterns) {
        if (patterns.size() == 1) {
            return index.matching(patterns.get(0));
        }
        Set<Loaded> all = new LinkedHashSet<>();
        patterns.forEach(pattern -> all.addAll(index.matching(pattern)));
        return all;
    }

    /** Brings the classes to what the list says. */
    private Swap apply(Collection<Loaded> types, long begin) {
        List<Loaded> changing = new ArrayList<>();
        int switched = 0;
        for (Loaded type : types) {
            ClassPatterns patterns = transformer.list().forClass(type.name);
            if (type.in.isEmpty() && !patterns.mayInclude() || !type.loader.sees(probe)) {
                continue;
            }
            switched += lingerNs > 0 && !type.in.isEmpty() ? flip(type, patterns) : 0;
            if (changes(type, patterns)) {
                addDefined(type, changing);
            }
        }
        long matched = System.nanoTime();
        Change change = new Change();
        exchange.run(changing, change);
        long end = System.nanoTime();
        return new Swap(change.classes, switched + change.methods, matched - begin, change.transformNs, end - matched - change.transformNs, end - begin, change.failures());
    }

    /** Switches the probes that are in the class; returns how many. */
    private int flip(Loaded type, ClassPatterns patterns) {
        Map<Signature, Long> off = new HashMap<>(type.off);
        int flipped = 0;
        for (Map.Entry<Signature, Integer> each : type.in.entrySet()) {
            boolean on = patterns.includes(each.getKey());
            if (on != off.containsKey(each.getKey())) {
                continue;
            }
            Switches.set(each.getValue(), on);
            flipped++;
            if (on) {
                off.remove(each.getKey());
            } else {
                off.put(each.getKey(), System.nanoTime());
                sweepIn(lingerNs);
            }
        }
        type.off = flipped > 0 ? off : type.off;
        return flipped;
    }

    /** Whether probes have to go in, or out unless they may linger; also if only its class file can tell. */
    private boolean changes(Loaded type, ClassPatterns patterns) {
        List<Signature> methods = patterns.asksAnnotations() ? type.read(true) : type.methods();
        if (methods == null) {
            return true;
        }
        Map<Signature, Integer> in = type.in;
        for (Signature each : methods) {
            boolean include = patterns.includes(each);
            if (include && !in.containsKey(each) || !include && lingerNs == 0 && in.containsKey(each)) {
                return true;
            }
        }
        return false;
    }

    private void addDefined(Loaded type, List<Loaded> changing) {
        Class<?> defined = type.type();
        if (defined == null) {
            retry(type, 1);
        } else if (instrumentation.isModifiableClass(defined)) {
            changing.add(type);
        }
    }

    /** A class that is just being defined, by the older list: it is brought to the list once it is there. */
    private void retry(Loaded type, int tries) {
        later.schedule(() -> bring(type, tries), FIRST_TRY_NS << 2 * tries, TimeUnit.NANOSECONDS);
    }

    private synchronized void bring(Loaded type, int tries) {
        if (type.type() != null) {
            report(apply(Collections.singletonList(type), System.nanoTime()));
        } else if (tries < TRIES && type.loader.get() != null) {
            retry(type, tries + 1);
        } else {
            index.remove(type); // its definition failed; should it succeed later, it is entered again
        }
    }

    private void sweepIn(long ns) {
        if (!sweeps) {
            sweeps = true;
            later.schedule(this::sweep, ns, TimeUnit.NANOSECONDS);
        }
    }

    /** Takes those probes out that have been off for the linger time. */
    private synchronized void sweep() {
        sweeps = false;
        Map<Loaded, Map<Signature, Long>> before = new HashMap<>();
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (Loaded type : index.probed()) {
            Map<Signature, Long> stay = new HashMap<>(type.off);
            stay.values().removeIf(since -> now - since >= lingerNs);
            for (long since : stay.values()) {
                next = Math.min(next, lingerNs - (now - since));
            }
            if (stay.size() < type.off.size() && type.type() != null) {
                before.put(type, type.off);
                type.off = stay;
            }
        }
        Change change = new Change();
        exchange.run(before.keySet(), change);
        before.forEach((type, off) -> type.off = change.hasFailed(type) ? off : type.off); // still there, and off
        change.failures().forEach(Swaps::complain);
        if (next < Long.MAX_VALUE) {
            sweepIn(next);
        }
    }

    private static void report(Swap swap) {
        swap.failures.forEach(Swaps::complain);
    }

    private static void complain(String failure) {
        System.err.println("moobench: error: not exchanged: " + failure);
    }

    /** Waits for a change that is under way: who reads a list may rely on it. */
    @Override
    public synchronized List<String> patterns() {
        return transformer.list().patterns();
    }

    @Override
    public synchronized List<String> instrumented() {
        List<String> all = new ArrayList<>();
        for (Loaded type : index.probed()) {
            for (Signature each : type.in.keySet()) {
                if (!type.off.containsKey(each)) {
                    all.add(each.toString());
                }
            }
        }
        Collections.sort(all);
        return all;
    }

    @Override
    public byte[] inject(byte[] classFile, String pattern) {
        return transformer.injector().inject(classFile, PatternList.parse(pattern)::includes, Collections.emptySet(), new Supertypes(() -> null)).file;
    }
}
