package moobench.swappers;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import moobench.kernel.Probes;
import moobench.kernel.Swapper;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.SignaturePattern;

/**
 * What these swappers have in common: the list of patterns, which loaded classes a change concerns, and what becomes of
 * failures. Classes that are loaded later stay as they are, and so do constructors: the libraries can't put an exit around one.
 */
abstract class Exchanger implements Swapper {
    private final Map<Class<?>, Map<String, String>> monitored = new ConcurrentHashMap<>();
    private final Map<Class<?>, Throwable> failed = new LinkedHashMap<>();
    private PatternList list = PatternList.NONE;
    private long transformNs;

    /** Has the JVM exchange these classes, all in one go, for what {@link #monitored(Class)} says. */
    abstract void exchange(Class<?>[] types) throws Exception;

    /** The methods of a class that hold a probe, or will: name and descriptor, and the signature. */
    final Map<String, String> monitored(Class<?> type) {
        return monitored.getOrDefault(type, Collections.emptyMap());
    }

    final Instrumentation instrumentation() {
        return Probes.instrumentation();
    }

    /** Adds the time that was taken by writing a class file. */
    final void transformed(long ns) {
        transformNs += ns;
    }

    /** Notes why a class file could not be written; thrown on, it would vanish in the JVM. */
    final void fail(Class<?> type, Throwable why) {
        failed.put(type, why);
    }

    @Override
    public final synchronized Swap set(boolean on, String pattern) {
        long begin = System.nanoTime();
        SignaturePattern p = SignaturePattern.unsigned(pattern);
        return change(begin, list.with(on, p), Collections.singletonList(p));
    }

    @Override
    public final synchronized Swap remove(String pattern) {
        long begin = System.nanoTime();
        SignaturePattern p = SignaturePattern.unsigned(pattern);
        return change(begin, list.without(p), Collections.singletonList(p));
    }

    @Override
    public final synchronized Swap replace(List<String> patterns) {
        long begin = System.nanoTime();
        PatternList next = PatternList.of(patterns);
        return change(begin, next, list.differences(next));
    }

    @Override
    public final synchronized List<String> patterns() {
        return list.patterns();
    }

    @Override
    public final synchronized List<String> instrumented() {
        List<String> all = new ArrayList<>();
        monitored.values().forEach(methods -> all.addAll(methods.values()));
        return all;
    }

    /** The list as it would be with the pattern. */
    final PatternList with(String pattern) {
        return list.with(true, SignaturePattern.unsigned(pattern));
    }

    private Swap change(long begin, PatternList next, List<SignaturePattern> touched) {
        Map<Class<?>, Map<String, String>> changed = new LinkedHashMap<>();
        for (SignaturePattern pattern : touched) {
            for (Class<?> type : Loaded.of(pattern, instrumentation())) {
                Map<String, String> now = Loaded.included(type, next);
                if (!now.equals(monitored(type))) {
                    changed.put(type, now);
                }
            }
        }
        list = next;
        long matched = System.nanoTime();
        transformNs = 0;
        int methods = exchange(changed);
        long end = System.nanoTime();
        List<String> failures = new ArrayList<>();
        failed.forEach((type, why) -> failures.add("class " + type.getName() + ": " + why));
        int classes = changed.size() - failed.size();
        return new Swap(classes, methods, matched - begin, transformNs, end - matched - transformNs, end - begin, failures);
    }

    /** Exchanges what it can, leaves the others as they were, and returns how many methods changed. */
    private int exchange(Map<Class<?>, Map<String, String>> changed) {
        failed.clear();
        if (changed.isEmpty()) {
            return 0;
        }
        Map<Class<?>, Map<String, String>> before = new HashMap<>();
        changed.forEach((type, now) -> before.put(type, put(type, now)));
        attempt(changed.keySet());
        Map<Class<?>, Throwable> lost = new LinkedHashMap<>(failed);
        for (Class<?> type : lost.keySet()) {
            put(type, before.get(type));
            attempt(Collections.singleton(type));
        }
        failed.putAll(lost);
        int methods = 0;
        for (Class<?> type : changed.keySet()) {
            methods += lost.containsKey(type) ? 0 : differences(before.get(type), changed.get(type));
        }
        return methods;
    }

    private Map<String, String> put(Class<?> type, Map<String, String> methods) {
        Map<String, String> before = methods.isEmpty() ? monitored.remove(type) : monitored.put(type, methods);
        return before == null ? Collections.emptyMap() : before;
    }

    /** All together; if the JVM refuses, one by one, so that only those fail that have to. */
    private void attempt(Collection<Class<?>> types) {
        try {
            exchange(types.toArray(new Class<?>[0]));
        } catch (Exception | LinkageError | InternalError e) {
            for (Class<?> type : types) {
                if (types.size() == 1) {
                    fail(type, e);
                } else {
                    attempt(Collections.singleton(type));
                }
            }
        }
    }

    private static int differences(Map<String, String> a, Map<String, String> b) {
        Map<String, String> common = new HashMap<>(a);
        common.keySet().retainAll(b.keySet());
        return a.size() + b.size() - 2 * common.size();
    }
}
