package moobench.classes;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Writes the jar with the clones that the build makes: the same sources give the same jar. */
public final class Generator {
    private Generator() {}

    /** Takes the name of the jar. */
    public static void main(String[] args) throws IOException {
        Path jar = Paths.get(args[0]);
        Path part = Paths.get(args[0] + ".part");
        Files.createDirectories(jar.toAbsolutePath().getParent());
        try (JarOutputStream out = new JarOutputStream(new BufferedOutputStream(Files.newOutputStream(part)))) {
            for (String template : Clones.TEMPLATES) {
                write(new Clones(template, 1), out);
            }
        }
        Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void write(Clones clones, JarOutputStream out) throws IOException {
        // The jar holds local time: this is the same everywhere.
        long time = new GregorianCalendar(2026, Calendar.JANUARY, 1).getTimeInMillis();
        for (int i = 0; i < Clones.BUILT; i++) {
            JarEntry entry = new JarEntry(clones.name(i).replace('.', '/') + ".class");
            entry.setTime(time);
            out.putNextEntry(entry);
            out.write(clones.make(clones.name(i)));
        }
    }
}
