package moobench.classes;

import moobench.kernel.Loop;
import moobench.kernel.Target;

/** Loads the clones, and has each called once: probes go into code that has run. */
final class Population {
    private final Clones clones;
    private final CloneLoader loader;

    Population(Clones clones) {
        this.clones = clones;
        this.loader = new CloneLoader(clones);
    }

    CloneLoader loader() {
        return loader;
    }

    /**
     * Loads so many clones; among them are sets of atOnce clones, as many as wanted, or as there are clones for.
     *
     * @param oneByOne whether a set has a pattern for each clone, and not one for all
     */
    ClassSet[] load(int loaded, int atOnce, boolean oneByOne, int wanted) throws ReflectiveOperationException {
        if (atOnce > loaded) {
            throw new IllegalArgumentException("setup: at_once=" + atOnce + " classes can't change where loaded=" + loaded + " are there");
        }
        ClassSet[] sets = new ClassSet[Math.min(wanted, loaded / atOnce)];
        for (int i = 0; i < sets.length; i++) {
            sets[i] = atOnce == 1 ? alone(i) : together(i, atOnce, oneByOne);
        }
        for (int i = atOnce == 1 ? sets.length : 0; i < loaded - (atOnce == 1 ? 0 : sets.length * atOnce); i++) {
            load(clones.name(i));
        }
        return sets;
    }

    private ClassSet alone(int number) throws ReflectiveOperationException {
        String name = clones.name(number);
        return new ClassSet(new String[] {clones.pattern(name)}, new String[] {name}, new Target[] {load(name)});
    }

    /** So many sets of atOnce clones that are made, but not loaded, in packages of their own. */
    ClassSet[] make(int atOnce, boolean oneByOne, int wanted) {
        ClassSet[] sets = new ClassSet[wanted];
        for (int i = 0; i < wanted; i++) {
            sets[i] = named(i, atOnce, oneByOne || atOnce == 1);
            for (String name : sets[i].names) {
                loader.make(name);
            }
        }
        return sets;
    }

    private ClassSet together(int set, int atOnce, boolean oneByOne) throws ReflectiveOperationException {
        ClassSet all = named(set, atOnce, oneByOne);
        for (int i = 0; i < atOnce; i++) {
            all.targets[i] = load(all.names[i]);
        }
        return all;
    }

    private ClassSet named(int set, int atOnce, boolean oneByOne) {
        String[] names = new String[atOnce];
        String[] patterns = new String[oneByOne ? atOnce : 1];
        patterns[0] = "* " + clones.set(set) + ".*.*(..)";
        for (int i = 0; i < atOnce; i++) {
            names[i] = clones.name(set, i);
            if (oneByOne) {
                patterns[i] = clones.pattern(names[i]);
            }
        }
        return new ClassSet(patterns, names, new Target[atOnce]);
    }

    /** Loads the clone of this name, and calls it once. */
    Target load(String name) throws ReflectiveOperationException {
        Target target = loader.target(name);
        Loop.sink = target.monitoredMethod(0, 1);
        return target;
    }
}
