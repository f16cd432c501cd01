package moobench.swappers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Has another tool put its probes into running classes and take them out, by commands of its own. */
public abstract class Commanding extends Exchanger {
    /** Where the tool listens: nowhere else. */
    protected static final String LOOPBACK = "127.0.0.1";

    private final Map<Class<?>, Map<String, String>> in = new HashMap<>();

    /** A port for the tool to listen at. */
    protected static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }

    /** Has the tool monitor these methods, and returns when it does. */
    protected abstract void enter(List<Place> methods) throws Exception;

    /** Has the tool monitor them no longer, and returns when their classes are as they were. */
    protected abstract void leave(List<Place> methods) throws Exception;

    @Override
    final void exchange(Class<?>[] types) throws Exception {
        List<Place> entering = new ArrayList<>();
        List<Place> leaving = new ArrayList<>();
        for (Class<?> type : types) {
            Map<String, String> before = in.getOrDefault(type, Collections.emptyMap());
            entering.addAll(only(type, monitored(type), before));
            leaving.addAll(only(type, before, monitored(type)));
        }
        if (!leaving.isEmpty()) {
            leave(leaving);
        }
        if (!entering.isEmpty()) {
            enter(entering);
        }
        for (Class<?> type : types) {
            in.put(type, monitored(type));
        }
    }

    /** The methods that the first has and the second has not. */
    private static List<Place> only(Class<?> type, Map<String, String> first, Map<String, String> second) {
        List<Place> places = new ArrayList<>();
        first.forEach((method, signature) -> {
            if (!second.containsKey(method)) {
                places.add(new Place(type, method, signature));
            }
        });
        return places;
    }

    /** A method of a loaded class. */
    public static final class Place {
        public final Class<?> type;
        public final String name;
        /** As in a class file. */
        public final String descriptor;
        /** By which records name it. */
        public final String signature;

        Place(Class<?> type, String method, String signature) {
            this.type = type;
            this.name = method.substring(0, method.indexOf('('));
            this.descriptor = method.substring(name.length());
            this.signature = signature;
        }
    }
}
