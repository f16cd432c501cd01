package moobench.swappers;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import moobench.probes.Probe;
import moobench.probes.patterns.ClassPatterns;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;
import moobench.probes.patterns.SignaturePattern;

/** Finds the loaded classes that a pattern is about, and their methods. */
final class Loaded {
    private Loaded() {}

    /**
     * The classes with methods that match. One that is named in full is asked for by its name, from the thread's context class
     * loader, and no other class is looked at; for all other patterns every loaded class is.
     */
    static List<Class<?>> of(SignaturePattern pattern, Instrumentation instrumentation) {
        PatternList alone = PatternList.NONE.with(true, pattern);
        List<Class<?>> found = new ArrayList<>();
        String name = className(pattern.toString());
        boolean exact = name.equals(pattern.anchor()) && !name.isEmpty();
        for (Class<?> type : exact ? named(name) : instrumentation.getAllLoadedClasses()) {
            if (pattern.matchesClass(type.getName()) && mayHold(type.getClassLoader(), type.getName()) && instrumentation.isModifiableClass(type) && !included(type, alone).isEmpty()) {
                found.add(type);
            }
        }
        return found;
    }

    /** The part of a pattern that is about the class; nothing if it is about all. */
    private static String className(String pattern) {
        String qualified = pattern.substring(0, Math.max(0, pattern.indexOf('('))).trim();
        qualified = qualified.substring(qualified.lastIndexOf(' ') + 1);
        return qualified.substring(0, Math.max(0, qualified.lastIndexOf('.')));
    }

    private static Class<?>[] named(String name) {
        try {
            return new Class<?>[] {Class.forName(name, false, Thread.currentThread().getContextClassLoader())};
        } catch (ClassNotFoundException | LinkageError e) {
            return new Class<?>[0];
        }
    }

    /** Not into ourselves, nor where the probe can't be seen. */
    static boolean mayHold(ClassLoader definer, String name) {
        if (name.startsWith("moobench.kernel.") || name.startsWith("moobench.probes.") || name.startsWith("moobench.hotswap.") || name.startsWith("moobench.swappers.")) {
            return false;
        }
        for (ClassLoader loader = definer; loader != null; loader = loader.getParent()) {
            if (loader == Probe.class.getClassLoader()) {
                return true;
            }
        }
        return false;
    }

    /** The methods of a class that the list includes: name and descriptor, and the signature. */
    static Map<String, String> included(Class<?> type, PatternList list) {
        Map<String, String> methods = new LinkedHashMap<>();
        ClassPatterns patterns = list.forClass(type.getName());
        for (Method method : declared(type)) {
            if ((method.getModifiers() & (Modifier.ABSTRACT | Modifier.NATIVE)) == 0) {
                Signature signature = Signature.of(method, patterns.asksAnnotations());
                if (patterns.includes(signature)) {
                    methods.put(key(method), signature.toString());
                }
            }
        }
        return methods;
    }

    private static List<Method> declared(Class<?> type) {
        try {
            return Arrays.asList(type.getDeclaredMethods());
        } catch (LinkageError e) {
            return Collections.emptyList(); // it names classes that are not there
        }
    }

    private static String key(Method method) {
        return method.getName() + MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
    }
}
