package moobench.hotswap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An exchange of classes that is under way: what was written for each class, what it cost, and what went wrong. */
final class Change {
    /** What holds if the JVM takes the class files. */
    final Map<Loaded, Injector.Injected> written = new HashMap<>();
    private final Map<Loaded, String> failures = new LinkedHashMap<>();
    private final Set<String> left = new LinkedHashSet<>();
    long transformNs;
    /** Classes and methods that were exchanged. */
    int classes;
    int methods;

    /** Notes why a class stays as it was; of several reasons the first. */
    void fail(Loaded type, Throwable reason) {
        failures.putIfAbsent(type, "class " + type.name + ": " + reason);
    }

    /** Notes methods that stay without a probe in a class that is exchanged, each with the reason. */
    void leave(List<String> methods) {
        left.addAll(methods);
    }

    boolean hasFailed(Loaded type) {
        return failures.containsKey(type);
    }

    /** What went wrong, with the names of classes and methods. */
    List<String> failures() {
        List<String> all = new ArrayList<>(failures.values());
        all.addAll(left);
        return all;
    }
}
