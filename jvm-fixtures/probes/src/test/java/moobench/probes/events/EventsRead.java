package moobench.probes.events;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A file of events, read as its format says: a block that was cut off, or is being written, is not there. */
final class EventsRead {
    final List<String> methods = new ArrayList<>();
    final List<String> threads = new ArrayList<>();
    /** By thread, in their order: each is its time and what. */
    final Map<String, List<long[]>> events = new TreeMap<>();
    /** Sum of what is said to be missing between events. */
    long missing;
    /** Written, lost, unkept; null if it was cut off. */
    long[] end;
    /** Classes of objects, by hash; of locks alone. */
    final Map<Integer, String> objects = new TreeMap<>();
    final List<String> notes = new ArrayList<>();
    /** The numbers and texts of sections, by the number of their names. */
    final Map<Integer, String> sections = new TreeMap<>();
    int turns;

    EventsRead(Path path) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        StringBuilder head = new StringBuilder();
        for (byte b = in.get(); b != '\n'; b = in.get()) {
            head.append((char) b);
        }
        if (!head.toString().equals("moobench-events 1 event=16")) {
            throw new IOException("it begins with " + head);
        }
        Map<Integer, String> rings = new TreeMap<>();
        while (in.remaining() >= 3 * Integer.BYTES) {
            int kind = in.getInt();
            int id = in.getInt();
            int length = in.getInt();
            if (length > in.remaining()) {
                break;
            }
            byte[] bytes = new byte[length];
            in.get(bytes);
            ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            String text = new String(bytes, StandardCharsets.UTF_8);
            switch (kind) {
                case 1: add(methods, id, text); break;
                case 2: add(threads, id, text); break;
                case 3: events(rings, id, content); break;
                case 4: end = new long[] {content.getLong(), content.getLong(), content.getLong()}; break;
                case 5: objects.put(id, text); break;
                case 7: notes.add(text); break;
                case 9: sections.put(id, section(content)); break;
                default: turns += kind == 8 ? 1 : 0;
            }
        }
    }

    private static String section(ByteBuffer content) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            all.append(content.getInt()).append(' ');
        }
        return all + StandardCharsets.UTF_8.decode(content).toString().replace('\0', ';');
    }

    private static void add(List<String> names, int id, String name) throws IOException {
        if (id != names.size()) {
            throw new IOException(name + " has the number " + id + " after " + names.size());
        }
        names.add(name);
    }

    private void events(Map<Integer, String> rings, int ring, ByteBuffer content) {
        while (content.hasRemaining()) {
            long time = content.getLong();
            long what = content.getLong();
            int kind = (int) (what >>> 60);
            if (kind == Ring.THREAD) {
                rings.put(ring, threads.get((int) what));
            } else if (kind == Ring.MISSING) {
                missing += what & (1L << 60) - 1;
            } else {
                events.computeIfAbsent(rings.get(ring), name -> new ArrayList<>()).add(new long[] {time, what});
            }
        }
    }
}
