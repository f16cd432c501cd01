package moobench.swappers;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.Map;
import moobench.probes.Probe;
import moobench.probes.ProbeSettings;
import moobench.probes.patterns.ClassPatterns;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;

/**
 * The agent that puts the probe into classes while they are loaded: {@code -javaagent:swappers.jar=ByteBuddy} or
 * {@code Javassist}. The patterns are those of {@code -Dmoobench.probe.load}; without any it is there, and does nothing.
 */
public final class Agent implements ClassFileTransformer {
    private final Library library;
    private final PatternList list;

    private Agent(Library library, PatternList list) {
        this.library = library;
        this.list = list;
    }

    /** Comes with the JVM; what is wrong with its settings stops the JVM (status 2). */
    public static void premain(String library, Instrumentation instrumentation) {
        try {
            PatternList list = PatternList.parse(ProbeSettings.load());
            instrumentation.addTransformer(new Agent(named(library), list));
            Probe.isActive(); // it counts from now on
        } catch (IllegalArgumentException e) {
            System.err.println("moobench: error: agent of the swappers: " + e.getMessage());
            System.exit(2);
        }
    }

    private static Library named(String library) {
        switch (String.valueOf(library)) {
            case "ByteBuddy": return new ByteBuddy();
            case "Javassist": return new Javassist();
            default: throw new IllegalArgumentException("its argument must be ByteBuddy or Javassist, not " + library);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (redefined != null || name == null) {
            return null;
        }
        String className = name.replace('/', '.');
        try {
            ClassPatterns patterns = list.forClass(className);
            return patterns.mayInclude() && Loaded.mayHold(loader, className) ? transform(loader, className, patterns, classFile) : null;
        } catch (Throwable e) { // thrown on, it would vanish
            System.err.println("moobench: error: no probe in class " + className + ": " + e);
            return null;
        }
    }

    private byte[] transform(ClassLoader loader, String name, ClassPatterns patterns, byte[] classFile) throws Exception {
        Map<String, String> wanted = new LinkedHashMap<>();
        for (Map.Entry<String, Signature> method : library.methods(loader, name, classFile, patterns.asksAnnotations()).entrySet()) {
            if (patterns.includes(method.getValue())) {
                wanted.put(method.getKey(), method.getValue().toString());
            }
        }
        return wanted.isEmpty() ? null : library.inject(loader, name, classFile, wanted);
    }
}
