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

    boolean matches(List<String> types) {
        return places == null || matches(0, types, 0);
    }

    private boolean matches(int place, List<String> types, int type) {
        if (place == places.size()) {
            return type == types.size();
        }
        if (places.get(place) != null) {
            return type < types.size() && places.get(place).matches(types.get(type)) && matches(place + 1, types, type + 1);
        }
        boolean found = matches(place + 1, types, type);
        for (int i = type; !found && i < types.size() && !types.get(i).endsWith("]"); i++) {
            found = matches(place + 1, types, i + 1);
        }
        return found;
    }
}
