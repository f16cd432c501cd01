package moobench.hotswap;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Swapper;

/** Swaps probes in loaded classes, all classes of one pattern in one call: each call stops the world once. */
final class Swaps implements Swapper {
    private static final int NAMED = 3;

    private final Instrumentation instrumentation;
    private final Transformer transformer;
    private boolean installed;

    Swaps(Instrumentation instrumentation, Transformer transformer, boolean installed) {
        this.instrumentation = instrumentation;
        this.transformer = transformer;
        this.installed = installed;
    }

    @Override
    public Swap activate(String pattern) throws Exception {
        return swap(true, pattern);
    }

    @Override
    public Swap deactivate(String pattern) throws Exception {
        return swap(false, pattern);
    }

    private synchronized Swap swap(boolean include, String text) throws Exception {
        long begin = System.nanoTime();
        String trimmed = text.trim();
        if (trimmed.startsWith("-")) {
            throw new IllegalArgumentException("pattern \"" + text + "\": to take probes out, deactivate a + pattern");
        }
        SignaturePattern pattern = SignaturePattern.parse(trimmed.startsWith("+") ? trimmed.substring(1) : trimmed);
        List<Class<?>> classes = new ArrayList<>();
        int methods = match(pattern, classes);
        if (classes.isEmpty()) {
            throw new IllegalStateException("no loaded method that can hold a probe matches \"" + pattern + "\"");
        }
        exchange(classes, transformer.rules().with(include, pattern));
        return new Swap(classes.size(), methods, 0, 0, 0, System.nanoTime() - begin, new ArrayList<>());
    }

    private int match(SignaturePattern pattern, List<Class<?>> classes) {
        int all = 0;
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (pattern.matchesClass(type.getName()) && Transformer.mayHold(type.getName(), type.getClassLoader()) && instrumentation.isModifiableClass(type)) {
                int methods = count(pattern, type);
                all += methods;
                if (methods > 0) {
                    classes.add(type);
                }
            }
        }
        return all;
    }

    private static int count(SignaturePattern pattern, Class<?> type) {
        List<java.lang.reflect.Executable> all = new ArrayList<>();
        try {
            all.addAll(Arrays.asList(type.getDeclaredMethods()));
            all.addAll(Arrays.asList(type.getDeclaredConstructors()));
        } catch (LinkageError e) {
            return 0; // it names classes that are not there
        }
        int hidden = java.lang.reflect.Modifier.ABSTRACT | java.lang.reflect.Modifier.NATIVE;
        return (int) all.stream().filter(m -> (m.getModifiers() & hidden) == 0 && pattern.matches(Method.of(m))).count();
    }

    /** Swaps to the new rules; whatever fails, the old rules and the old classes are back. */
    private void exchange(List<Class<?>> classes, Rules next) throws Exception {
        if (!installed) { // dormant until now: no class that was loaded has passed through us
            instrumentation.addTransformer(transformer, true);
            installed = true;
        }
        Rules before = transformer.rules();
        transformer.setRules(next);
        Class<?>[] batch = classes.toArray(new Class<?>[0]);
        List<String> failures;
        try {
            failures = transformer.collectFailures(() -> instrumentation.retransformClasses(batch));
        } catch (Exception | LinkageError | InternalError e) {
            transformer.setRules(before); // the JVM has exchanged none of them
            throw new IllegalStateException("swap failed: " + names(classes) + ": " + e, e);
        }
        if (!failures.isEmpty()) {
            transformer.setRules(before);
            transformer.collectFailures(() -> instrumentation.retransformClasses(batch));
            throw new IllegalStateException("swap failed: " + String.join("; ", failures.subList(0, Math.min(NAMED, failures.size()))));
        }
    }

    private static String names(List<Class<?>> classes) {
        StringBuilder names = new StringBuilder(classes.size() == 1 ? "class " : "classes ");
        for (int i = 0; i < Math.min(NAMED, classes.size()); i++) {
            names.append(i > 0 ? ", " : "").append(classes.get(i).getName());
        }
        return classes.size() > NAMED ? names + " and " + (classes.size() - NAMED) + " more" : names.toString();
    }
}
