package moobench.probes.patterns;

import java.util.List;

/** The patterns of a list that can match methods of one class. */
public final class ClassPatterns {
    /** The newest first. */
    private final List<PatternList.Signed> patterns;

    ClassPatterns(List<PatternList.Signed> patterns) {
        this.patterns = patterns;
    }

    /** Whether any method of the class can be monitored. */
    public boolean mayInclude() {
        for (PatternList.Signed each : patterns) {
            if (each.include) {
                return true;
            }
        }
        return false;
    }

    /** Whether it takes annotations to tell which methods are monitored. */
    public boolean asksAnnotations() {
        for (PatternList.Signed each : patterns) {
            if (each.pattern.asksAnnotations()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the method, which is one of the class, is monitored. */
    public boolean includes(Signature method) {
        for (PatternList.Signed each : patterns) {
            if (each.pattern.matchesMethod(method)) {
                return each.include;
            }
        }
        return false;
    }
}
