package moobench.hotswap;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import moobench.probes.patterns.SignaturePattern;

/**
 * The classes that could hold a probe, by package and name, so that a pattern costs what it matches and not what is loaded.
 * What class loaders defined that are gone goes too. The JDK's core and our own classes are not among them: the probe runs on
 * them.
 */
final class LoadedClasses {
    /** What a record runs through, on Kieker's own thread too: a probe there would make records of records. */
    private static final String[] OURS =
            {"moobench.kernel.", "moobench.probes.", "moobench.hotswap.", "moobench.swappers.", "kieker.monitoring.", "kieker.common."};

    private final ConcurrentNavigableMap<String, Map<String, Loaded>> packages = new ConcurrentSkipListMap<>();
    private final Map<Object, Loader> loaders = new ConcurrentHashMap<>();
    private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
    private final Set<Loaded> probed = ConcurrentHashMap.newKeySet();

    /** Whether such a class belongs here; hidden classes have a slash in their name, arrays a bracket. */
    static boolean mayHold(ClassLoader loader, String name) {
        if (loader == null || name.indexOf('/') >= 0 || name.startsWith("[")) {
            return false;
        }
        for (String ours : OURS) {
            if (name.startsWith(ours)) {
                return false;
            }
        }
        return true;
    }

    /** Enters what is loaded already. */
    void fill(Class<?>[] types) {
        for (Class<?> type : types) {
            if (!type.isPrimitive() && mayHold(type.getClassLoader(), type.getName())) {
                add(type.getClassLoader(), type.getName());
            }
        }
    }

    /** The entry of the class; made if there is none. */
    Loaded add(ClassLoader by, String name) {
        purge();
        Loader loader = loader(by);
        Loaded known = loader.classes.get(name);
        return known != null ? known : loader.classes.computeIfAbsent(name, n -> linked(new Loaded(loader, n)));
    }

    private Loaded linked(Loaded made) {
        packages.computeIfAbsent(packageOf(made.name), p -> new ConcurrentHashMap<>()).compute(made.name, (n, first) -> {
            made.next = first;
            return made;
        });
        return made;
    }

    private Loader loader(ClassLoader by) {
        Loader known = loaders.get(new Loader.Key(by));
        if (known == null) {
            Loader made = new Loader(by, gone);
            known = loaders.putIfAbsent(made, made);
            known = known == null ? made : known;
        }
        return known;
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /** The classes whose names the pattern matches: packages first, then names. */
    List<Loaded> matching(SignaturePattern pattern) {
        purge();
        List<Loaded> found = new ArrayList<>();
        String anchor = pattern.anchor();
        if (anchor.isEmpty()) {
            collect(packages.values(), pattern, found);
            return found;
        }
        Map<String, Loaded> siblings = packages.get(packageOf(anchor));
        if (siblings != null && pattern.matchesClass(anchor)) {
            collect(siblings.get(anchor), found);
        }
        Map<String, Loaded> inside = packages.get(anchor);
        if (inside != null) {
            collect(Collections.singletonList(inside), pattern, found);
        }
        collect(packages.subMap(anchor + '.', anchor + (char) ('.' + 1)).values(), pattern, found);
        return found;
    }

    private static void collect(Collection<Map<String, Loaded>> from, SignaturePattern pattern, List<Loaded> found) {
        for (Map<String, Loaded> classes : from) {
            for (Map.Entry<String, Loaded> each : classes.entrySet()) {
                if (pattern.matchesClass(each.getKey())) {
                    collect(each.getValue(), found);
                }
            }
        }
    }

    private static void collect(Loaded first, List<Loaded> found) {
        for (Loaded each = first; each != null; each = each.next) {
            found.add(each);
        }
    }

    /** The classes that hold probes. */
    Set<Loaded> probed() {
        return probed;
    }

    /** Notes whether the class holds probes, after that has changed. */
    void noteProbed(Loaded each) {
        if (each.in.isEmpty()) {
            probed.remove(each);
        } else {
            probed.add(each);
        }
    }

    /** Takes a class out that was never defined. */
    void remove(Loaded each) {
        probed.remove(each);
        each.loader.classes.remove(each.name, each);
        packages.get(packageOf(each.name)).computeIfPresent(each.name, (n, first) -> without(first, each));
    }

    private static Loaded without(Loaded first, Loaded each) {
        if (first == each) {
            return first.next;
        }
        for (Loaded before = first; before != null; before = before.next) {
            if (before.next == each) {
                before.next = each.next;
            }
        }
        return first;
    }

    private void purge() {
        for (Reference<?> each = gone.poll(); each != null; each = gone.poll()) {
            Loader loader = (Loader) each;
            loaders.remove(loader);
            loader.classes.values().forEach(this::remove);
        }
    }

    /** How many classes there are. */
    int size() {
        purge();
        int size = 0;
        for (Map<String, Loaded> classes : packages.values()) {
            for (Loaded each : classes.values()) {
                for (Loaded one = each; one != null; one = one.next) {
                    size++;
                }
            }
        }
        return size;
    }
}
