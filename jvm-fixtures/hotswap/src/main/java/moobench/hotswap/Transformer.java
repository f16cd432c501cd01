package moobench.hotswap;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import moobench.probes.Probe;

/** Applies the current rules to every class that is loaded or retransformed. */
final class Transformer implements ClassFileTransformer {
    private final Injector injector = new Injector(Probe.isGuarded());
    private volatile Rules rules;
    /** What went wrong in the swap under way; the JVM itself would swallow it. */
    private final ThreadLocal<List<String>> swapFailures = new ThreadLocal<>();

    Transformer(Rules rules) {
        this.rules = rules;
    }

    Rules rules() {
        return rules;
    }

    void setRules(Rules rules) {
        this.rules = rules;
    }

    /** Whether probes may go there: not into ourselves, nor where the probe can't be seen. */
    static boolean mayHold(String className, ClassLoader loader) {
        boolean ours = className.startsWith("moobench.kernel.") || className.startsWith("moobench.probes.") || className.startsWith("moobench.hotswap.");
        return !ours && seesProbe(loader);
    }

    private static boolean seesProbe(ClassLoader loader) {
        for (ClassLoader l = loader; l != null; l = l.getParent()) {
            if (l == Probe.class.getClassLoader()) {
                return true;
            }
        }
        return false;
    }

    /** Runs a swap, and returns what failed in it. */
    List<String> collectFailures(Swap swap) throws Exception {
        List<String> failures = new ArrayList<>();
        swapFailures.set(failures);
        try {
            swap.run();
        } finally {
            swapFailures.remove();
        }
        return failures;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (name == null) {
            return null;
        }
        try {
            String className = name.replace('/', '.');
            Rules current = rules;
            return mayHold(className, loader) && current.mayInclude(className) ? injector.inject(classFile, current) : null;
        } catch (Throwable e) { // thrown on, it would vanish
            fail("class " + name.replace('/', '.') + ": " + e, redefined);
            return null;
        }
    }

    private void fail(String what, Class<?> redefined) {
        List<String> failures = swapFailures.get();
        if (redefined != null && failures != null) {
            failures.add(what);
        } else {
            System.err.println("moobench: error: no probe in " + what);
        }
    }

    /** A call that exchanges classes. */
    interface Swap {
        void run() throws Exception;
    }
}
