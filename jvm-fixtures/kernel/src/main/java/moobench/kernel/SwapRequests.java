package moobench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers the requests about probes, whoever's channel they come by; the JVM's {@link Switch} does the work. */
public final class SwapRequests {
    private static final int MOST_LINES = 10_000;
    private static final int MOST_FAILURES = 100;
    private static final int LONGEST_REASON = 2000;

    private SwapRequests() {}

    /** Answers one request; lines takes those that come before the last line, which is returned. */
    public static Message answer(Message request, Consumer<Message> lines) throws Exception {
        switch (request.verb()) {
            case "activate": return swapped("active", Probes.swapper().activate(pattern(request)), lines);
            case "deactivate": return swapped("inactive", Probes.swapper().deactivate(pattern(request)), lines);
            case "remove": return swapped("removed", remove(pattern(request)), lines);
            case "replace": return swapped("replaced", replace(patterns(request)), lines);
            case "patterns": return listed(request, "pattern", "text", list(Swapper::patterns), lines);
            case "instrumented": return listed(request, "method", "signature", list(Swapper::instrumented), lines);
            case "records": return records(request);
            default: throw new IllegalArgumentException("unknown request " + request.verb());
        }
    }

    private static Switch.Swap remove(String pattern) throws Exception {
        if (!(Probes.swapper() instanceof Swapper)) {
            throw new IllegalStateException("what swaps probes in this JVM keeps no list of patterns");
        }
        return ((Swapper) Probes.swapper()).remove(pattern);
    }

    /** Puts another list of patterns in place of the one that is kept; does nothing where none is. */
    public static Switch.Swap replace(List<String> patterns) throws Exception {
        Switch swapper = Probes.swapper();
        return swapper instanceof Swapper ? ((Swapper) swapper).replace(patterns) : new Switch.Swap(0, 0, 0, 0, 0, 0, new ArrayList<>());
    }

    private static List<String> list(Function<Swapper, List<String>> of) {
        Switch swapper = Probes.swapper();
        return swapper instanceof Swapper ? of.apply((Swapper) swapper) : new ArrayList<>();
    }

    /** The answer to a request that failed by e. */
    public static Message failed(Throwable e) {
        return new Message("error").with("message", reason(e));
    }

    private static String reason(Throwable e) {
        if (e instanceof OutOfMemoryError) {
            return "not enough heap (raise -Xmx, or ask for fewer calls): " + e.getMessage();
        }
        boolean told = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
        return told && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private static String pattern(Message request) {
        request.only("pattern");
        return request.require("pattern");
    }

    private static List<String> patterns(Message request) {
        request.only("patterns");
        if (request.get("patterns") == null) {
            throw new IllegalArgumentException("replace: patterns is missing (an empty one takes all patterns off)");
        }
        return split(request.get("patterns"));
    }

    /** The patterns of a text that has a semicolon between them. */
    public static List<String> split(String patterns) {
        List<String> list = new ArrayList<>();
        for (String pattern : patterns.split(";")) {
            if (!pattern.trim().isEmpty()) {
                list.add(pattern.trim());
            }
        }
        return list;
    }

    private static Message swapped(String verb, Switch.Swap swap, Consumer<Message> lines) {
        for (String failure : swap.failures.subList(0, Math.min(MOST_FAILURES, swap.failures.size()))) {
            lines.accept(new Message("failure").with("reason", failure.substring(0, Math.min(LONGEST_REASON, failure.length()))));
        }
        return new Message(verb).with("classes", swap.classes).with("methods", swap.methods)
                .with("match_ns", swap.matchNs).with("transform_ns", swap.transformNs).with("swap_ns", swap.swapNs)
                .with("took_ns", swap.tookNs).with("failed", swap.failures.size());
    }

    private static Message listed(Message request, String verb, String key, List<String> all, Consumer<Message> lines) {
        request.only();
        for (String text : all.subList(0, Math.min(MOST_LINES, all.size()))) {
            lines.accept(new Message(verb).with(key, text));
        }
        return new Message(request.verb()).with("count", all.size());
    }

    private static Message records(Message request) {
        request.only();
        return Probes.counts(new Message("records"));
    }
}
