package moobench.hotswap;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import moobench.kernel.Probes;
import moobench.kernel.Session;
import moobench.probes.Probe;

/** A JVM that is not ours: {@link foreign.Work} in a folder of its own, without a class of moobench. */
final class Foreign implements AutoCloseable {
    private static final int PATIENCE_S = 60;

    private final Path jars;
    final Path dir;
    private Process process;
    private BufferedReader out;

    Foreign(Path root) throws IOException {
        jars = Files.createDirectories(root.resolve("jars"));
        dir = Files.createDirectories(root.resolve("work"));
        jar(jars.resolve("foreign.jar"), location(foreign.Work.class), "foreign/", new Manifest());
        jar(jars.resolve("agent.jar"), null, "", manifest());
        jar(jars.resolve("kernel.jar"), location(Probes.class), "moobench/", new Manifest());
        jar(jars.resolve("probes.jar"), location(Probe.class), "moobench/", new Manifest());
    }

    /** The agent's classes come from where the build has put them. */
    private static Manifest manifest() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
        manifest.getMainAttributes().putValue("Agent-Class", Agent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        manifest.getMainAttributes().putValue("Class-Path", Stream.of(Agent.class, org.objectweb.asm.Opcodes.class, org.objectweb.asm.tree.ClassNode.class)
                .map(type -> location(type).toUri().toString()).collect(Collectors.joining(" ")));
        return manifest;
    }

    private static Path location(Class<?> type) {
        try {
            return Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void jar(Path jar, Path from, String prefix, Manifest manifest) throws IOException {
        if (from != null && !Files.isDirectory(from)) {
            Files.copy(from, jar);
            return;
        }
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> all = from == null ? Stream.empty() : Files.walk(from.resolve(prefix))) {
            for (Path path : all.filter(Files::isRegularFile).collect(Collectors.toList())) {
                out.putNextEntry(new JarEntry(from.relativize(path).toString()));
                Files.copy(path, out);
            }
        }
    }

    /** The jars that the program doesn't have, as a setting. */
    String classes() {
        return "kernel=" + jars.resolve("kernel.jar") + ",probes=" + jars.resolve("probes.jar");
    }

    /** What of the tests' class path is Kieker. */
    private static String kieker() {
        return Arrays.stream(Session.classPath().split(File.pathSeparator))
                .filter(entry -> entry.matches(".*(kieker|slf4j|jctools)[^/]*\\.jar")).collect(Collectors.joining(File.pathSeparator));
    }

    void start(boolean withKieker, String... options) throws IOException {
        List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java", "-Xmx128m", "-XX:+UseSerialGC",
                "-cp", jars.resolve("foreign.jar") + (withKieker ? File.pathSeparator + kieker() : "")));
        command.addAll(Arrays.asList(options));
        command.add("foreign.Work");
        process = new ProcessBuilder(command).directory(dir.toFile()).redirectError(jars.resolve("err.log").toFile()).start();
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The option that brings the agent along. */
    String agent(String settings) {
        return "-javaagent:" + jars.resolve("agent.jar") + "=" + settings;
    }

    /** Loads the agent into the JVM, which must have answered: one that is just being started can't take it yet. */
    void attach(String settings) throws Exception {
        VirtualMachine vm = VirtualMachine.attach("" + process.pid());
        try {
            vm.loadAgent(jars.resolve("agent.jar").toString(), settings);
        } finally {
            vm.detach();
        }
    }

    long pid() {
        return process.pid();
    }

    /** Has the program do something, and returns what it prints. */
    String run(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the program come to its end, and returns its status. */
    int end() throws Exception {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the program doesn't end");
        }
        return process.exitValue();
    }

    /** What was said on standard error, but for the JVM's own warnings. */
    String said() throws IOException {
        try (Stream<String> lines = Files.lines(jars.resolve("err.log"))) {
            return lines.filter(line -> line.contains("moobench") || line.contains("Exception")).collect(Collectors.joining("\n"));
        }
    }

    List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(dir)) {
            return all.map(path -> path.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
