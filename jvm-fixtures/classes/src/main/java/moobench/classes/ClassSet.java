package moobench.classes;

import moobench.kernel.Target;

/** Clones that change together: the patterns that pick them and nothing else, and one object of each. */
final class ClassSet {
    final String[] patterns;
    final Target[] targets;

    ClassSet(String[] patterns, Target[] targets) {
        this.patterns = patterns;
        this.targets = targets;
    }
}
