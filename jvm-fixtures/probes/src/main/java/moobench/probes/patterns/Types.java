package moobench.probes.patterns;

import java.util.ArrayList;
import java.util.List;

/** A pattern over a list of types: of parameters, or of exceptions. */
final class Types {
    /** Any list. */
    static final Types ANY = new Types(null);
    /** No types at all. */
    static final Types NONE = new Types(new ArrayList<>());

    /** What each place holds, null for {@code ..}; null itself if any list will do. */
    private final List<Glob> places;

    private Types(List<Glob> places) {
        this.places = places;
    }

    static Types parse(String text) {
        if (text.equals("..")) {
            return ANY;
        }
        List<Glob> places = new ArrayList<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String type = part.trim();
            places.add(type.equals("..") ? null : type.equals("*") ? Glob.SIMPLE_TYPE : Glob.ofType(type));
        }
        return new Types(places);
    }

    /**
     * As in {@link Glob}, there is no going back: each place turns the types that the places before it can end at into those
     * that it can end at itself.
     */
    boolean matches(List<String> types) {
        if (places == null) {
            return true;
        }
        boolean[] ends = new boolean[types.size() + 1];
        ends[0] = true;
        for (Glob place : places) {
            if (place == null) {
                for (int i = 1; i < ends.length; i++) {
                    ends[i] |= ends[i - 1] && !types.get(i - 1).endsWith("[]");
                }
            } else {
                for (int i = ends.length - 1; i >= 0; i--) {
                    ends[i] = i > 0 && ends[i - 1] && place.matches(types.get(i - 1));
                }
            }
        }
        return ends[types.size()];
    }
}
