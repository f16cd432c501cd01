package moobench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Answers the requests about probes, whoever's channel they come by; the JVM's {@link Swapper} does the work. */
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
            case "remove": return swapped("removed", Probes.swapper().remove(pattern(request)), lines);
            case "replace": return swapped("replaced", Probes.swapper().replace(patterns(request)), lines);
            case "patterns": return listed(request, "pattern", "text", Probes.swapper().patterns(), lines);
            case "instrumented": return listed(request, "method", "signature", Probes.swapper().instrumented(), lines);
            case "records": return records(request);
            default: throw new IllegalArgumentException("unknown request " + request.verb());
        }
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

    private static Message swapped(String verb, Swapper.Swap swap, Consumer<Message> lines) {
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
