package moobench.hotswap;

import com.sun.tools.attach.VirtualMachine;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Attaches to this very JVM, for what the JVM gives agents only. */
public final class TestAgent {
    private static volatile Instrumentation instrumentation;

    private TestAgent() {}

    public static void agentmain(String args, Instrumentation given) {
        instrumentation = given;
    }

    static synchronized Instrumentation instrumentation() throws Exception {
        if (instrumentation == null) {
            Path jar = Files.createTempFile("test-agent", ".jar");
            try {
                makeJar(jar, TestAgent.class);
                VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
                self.loadAgent(jar.toString());
                self.detach();
            } finally {
                Files.delete(jar);
            }
        }
        return instrumentation;
    }

    /** A jar of a manifest alone: the classes come from the test's class path. */
    static void makeJar(Path jar, Class<?> agent) throws Exception {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", agent.getName());
        main.putValue("Agent-Class", agent.getName());
        main.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
    }
}
