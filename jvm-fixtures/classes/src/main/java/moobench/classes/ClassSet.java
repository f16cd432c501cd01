package moobench.classes;

import moobench.kernel.Target;

/** Clones that change together: the patterns that pick them and nothing else, and one object of each. */
final class ClassSet {
    final String[] patterns;
    /** Null for a clone that is loaded only after its probe was ordered. */
    final Target[] targets;
    final String[] names;

    ClassSet(String[] patterns, String[] names, Target[] targets) {
        this.patterns = patterns;
        this.names = names;
        this.targets = targets;
    }
}
