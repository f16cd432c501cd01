package moobench.hotswap;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import moobench.probes.Switches;
import moobench.probes.events.Events;
import moobench.probes.patterns.ClassPatterns;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;

/**
 * Applies the list of patterns to every class that is loaded or retransformed. It takes no lock: threads load classes while
 * a swap is under way.
 *
 * <p>A class enters the index before the list is read, and what was made of it is noted before the list is read again; a swap
 * publishes its list before it reads the index and the notes. So one of them sees the other, and no class is missed.
 */
final class Transformer implements ClassFileTransformer {
    private final Injector injector;
    private final LoadedClasses index;
    private final Class<?> probe;
    private volatile PatternList list;
    /** The exchange that this thread is in. */
    private final ThreadLocal<Change> under = new ThreadLocal<>();

    Transformer(Injector injector, LoadedClasses index, Class<?> probe, PatternList list) {
        this.injector = injector;
        this.index = index;
        this.probe = probe;
        this.list = list;
    }

    PatternList list() {
        return list;
    }

    void setList(PatternList next) {
        list = next;
    }

    Injector injector() {
        return injector;
    }

    /** Runs an exchange; what it makes of the classes is kept in the change. */
    void during(Change change, Exchange.Call call) throws Exception {
        under.set(change);
        try {
            call.run();
        } finally {
            under.remove();
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (loader == null || name == null) {
            return null;
        }
        Change change = redefined == null ? null : under.get();
        boolean timed = change != null || injector.plan().logsEvents();
        long begin = timed ? System.nanoTime() : 0;
        try {
            return transform(loader, name.replace('/', '.'), redefined != null, change, classFile);
        } catch (Throwable e) { // thrown on, it would vanish
            if (injector.plan().logsEvents()) {
                Events.note("class " + name.replace('/', '.') + ": " + e);
            } else {
                System.err.println("moobench: error: no probe in class " + name.replace('/', '.') + ": " + e);
            }
            return null;
        } finally {
            if (change != null) {
                change.transformNs += System.nanoTime() - begin;
            } else if (timed) {
                Events.wove(System.nanoTime() - begin);
            }
        }
    }

    private byte[] transform(ClassLoader loader, String name, boolean loaded, Change change, byte[] classFile) {
        if (!LoadedClasses.mayHold(loader, name)) {
            return null;
        }
        Loaded type = index.add(loader, name);
        if (loaded && injector.plan().onlyAtLoad() && type.in.isEmpty()) {
            return null; // another agent has it retransformed: its shape must stay
        }
        try {
            return change == null ? atLoad(type, loaded, classFile) : swapped(type, classFile, change);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            if (change == null) {
                note(type, Injector.Injected.NOTHING);
                throw e;
            }
            change.fail(type, e);
            return type.in.isEmpty() && type.shaped.isEmpty() ? null : injector.inject(classFile, type.in::containsKey, type.shaped, type.loader.types()).file; // as it was
        }
    }

    /** Also when another agent has the class retransformed. */
    private byte[] atLoad(Loaded type, boolean loaded, byte[] classFile) {
        PatternList read;
        Injector.Injected made;
        do {
            read = list;
            made = make(type, read, classFile, loaded ? type.shaped : null);
            note(type, made);
        } while (read != list);
        if (!loaded) {
            type.shaped = made.shaped;
            made.left.forEach(this::complain);
        }
        return made.file;
    }

    private void complain(String left) {
        if (injector.plan().logsEvents()) {
            Events.note(left);
        } else {
            System.err.println("moobench: error: no probe in " + left);
        }
    }

    private byte[] swapped(Loaded type, byte[] classFile, Change change) {
        Injector.Injected made = make(type, list, classFile, type.shaped);
        change.written.put(type, made);
        change.leave(made.left);
        return made.file;
    }

    /** The class with the probes that the list says, and those that are in it though switched off; shaped as in {@link Injector}. */
    private Injector.Injected make(Loaded type, PatternList read, byte[] classFile, Set<String> shaped) {
        ClassPatterns patterns = read.forClass(type.name);
        Map<Signature, Long> off = type.off;
        if (!patterns.mayInclude() && off.isEmpty() && type.shaped.isEmpty() || !type.loader.sees(probe)) {
            return Injector.Injected.NOTHING;
        }
        Injector.Injected made = injector.inject(classFile, method -> off.containsKey(method) || patterns.includes(method), shaped, type.loader.types());
        made.in.forEach((method, id) -> {
            if (!off.containsKey(method)) {
                Switches.set(id, true);
            }
        });
        return made;
    }

    /** Notes what is in the class from now on. */
    void note(Loaded type, Injector.Injected made) {
        if (made.methods != null) {
            type.methods = made.methods;
        }
        if (!made.in.isEmpty() || !type.in.isEmpty()) {
            type.in = made.in;
            index.noteProbed(type);
        }
    }
}
