package moobench.hotswap;

import java.util.ArrayList;
import java.util.List;

/** Patterns that include and exclude; the last one that matches decides. Immutable. */
final class Rules {
    static final Rules NONE = new Rules(new ArrayList<>());

    private final List<Rule> rules;

    private Rules(List<Rule> rules) {
        this.rules = rules;
    }

    /** Reads rules such as {@code "+ public * a..B.*(..); - * a..B.get*()"}; a pattern without a sign includes. */
    static Rules parse(String text) {
        Rules all = NONE;
        for (String part : text.split(";")) {
            String rule = part.trim();
            if (!rule.isEmpty()) {
                boolean signed = rule.startsWith("+") || rule.startsWith("-");
                all = all.with(!rule.startsWith("-"), SignaturePattern.parse(signed ? rule.substring(1) : rule));
            }
        }
        return all;
    }

    /** These rules and a last one, which replaces an earlier rule of the same pattern: lists don't grow by toggling. */
    Rules with(boolean include, SignaturePattern pattern) {
        List<Rule> more = new ArrayList<>();
        for (Rule rule : rules) {
            if (!rule.pattern.toString().equals(pattern.toString())) {
                more.add(rule);
            }
        }
        more.add(new Rule(include, pattern));
        return new Rules(more);
    }

    boolean mayInclude(String className) {
        for (Rule rule : rules) {
            if (rule.include && rule.pattern.matchesClass(className)) {
                return true;
            }
        }
        return false;
    }

    boolean include(Method method) {
        for (int i = rules.size() - 1; i >= 0; i--) {
            if (rules.get(i).pattern.matches(method)) {
                return rules.get(i).include;
            }
        }
        return false;
    }

    private static final class Rule {
        final boolean include;
        final SignaturePattern pattern;

        Rule(boolean include, SignaturePattern pattern) {
            this.include = include;
            this.pattern = pattern;
        }
    }
}
