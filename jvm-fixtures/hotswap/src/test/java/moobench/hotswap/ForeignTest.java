package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.AgentInitializationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import moobench.kernel.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent in a JVM that has no class of ours. */
class ForeignTest {
    private static final String ALL = "* foreign.Work.*(..)";
    private static final String RECURSE = "int foreign.Work.recurse(int)";
    private static final int PATIENCE_MS = 60_000;

    @TempDir Path root;
    private Foreign jvm;

    @BeforeEach
    void prepare() throws Exception {
        jvm = new Foreign(root);
    }

    @AfterEach
    void stop() {
        jvm.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void probesInRecordsCountedProbesOut(boolean attached) throws Exception {
        try (Channel channel = new Channel()) {
            String settings = jvm.classes() + "," + channel.settings();
            jvm.start(false, attached ? "-Da=b" : jvm.agent(settings));
            assertEquals("5", jvm.run("tree"));
            if (attached) {
                jvm.attach(settings);
            }
            Message hello = channel.hello();
            assertEquals("hello 1 t0k3n hotswap moobench " + jvm.pid(), String.join(" ", hello.verb(), hello.get("protocol"), hello.get("token"), hello.get("agent"), hello.get("probe"), hello.get("pid")));
            inAndOut(channel);
            assertEquals("bye", channel.ask("quit", "bye").get(0));
            assertTrue(channel.isAtEnd());
        }
        assertEquals("5", jvm.run("tree"));
        assertEquals(0, jvm.end());
        assertEquals("", jvm.said());
        assertEquals(Arrays.asList(), jvm.files());
    }

    private void inAndOut(Channel channel) throws Exception {
        assertEquals(Arrays.asList("patterns count=0"), channel.ask("patterns", "patterns"));
        Message active = channel.last("activate pattern=\"" + RECURSE + "\"", "active");
        assertEquals("1 1 0", active.get("classes") + " " + active.get("methods") + " " + active.get("failed"));
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=3 exited=3 recorded=3", channel.records());
        assertEquals(Arrays.asList("method signature=\"int foreign.Work.recurse(int)\"", "instrumented count=1"), channel.ask("instrumented", "instrumented"));
        assertEquals("1", channel.last("replace patterns=\"+ " + RECURSE + "; + int foreign.Work.leaf()\"", "replaced").get("methods"));
        assertEquals(Arrays.asList("pattern text=\"+ " + RECURSE + "\"", "pattern text=\"+ int foreign.Work.leaf()\"", "patterns count=2"), channel.ask("patterns", "patterns"));
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=9 exited=9 recorded=9", channel.records());
        assertEquals("1", channel.last("remove pattern=\"" + RECURSE + "\"", "removed").get("methods"));
        assertEquals("1", channel.last("deactivate pattern=\"int foreign.Work.leaf()\"", "inactive").get("methods"));
        assertEquals("0", channel.last("replace patterns=\"\"", "replaced").get("methods"));
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=9 exited=9 recorded=9", channel.records());
        assertEquals(Arrays.asList("instrumented count=0"), channel.ask("instrumented", "instrumented"));
        for (String wrong : Arrays.asList("measure", "activate", "replace", "activate pattern=\"no pattern\"", "garbage!", "records of=all")) {
            assertEquals("error", channel.last(wrong, "error").verb(), wrong);
        }
    }

    /** There is one agent, whoever attaches it; who goes away without a word leaves it as it is. */
    @Test
    void attachedAgainAndAgain() throws Exception {
        jvm.start(false);
        assertEquals("5", jvm.run("tree"));
        for (int round = 1; round <= 3; round++) {
            try (Channel channel = new Channel()) {
                jvm.attach(jvm.classes() + "," + channel.settings() + (round == 2 ? ",linger=1s" : "") + (round == 3 ? ",patterns=+ " + RECURSE : ""));
                channel.hello();
                assertEquals(round == 1 ? "1" : "0", channel.last("activate pattern=\"" + RECURSE + "\"", "active").get("methods"));
                assertEquals("5", jvm.run("tree"));
                assertEquals("records entered=" + 3 * round + " exited=" + 3 * round + " recorded=" + 3 * round, channel.records());
            }
        }
        assertEquals("5", jvm.run("tree"));
        assertEquals("moobench: warning: the hotswap agent is in this JVM already: linger stays as it was", jvm.said());
        assertEquals(0, jvm.end());
    }

    @Test
    void aWrongSettingFailsTheAttachAlone() throws Exception {
        jvm.start(false);
        assertEquals("5", jvm.run("tree"));
        for (String wrong : Arrays.asList("linger=x", "", "kernel=/nowhere.jar,probes=/nowhere.jar", jvm.classes() + ",patterns=no pattern",
                jvm.classes() + ",probe=kieker", jvm.classes() + ",control=127.0.0.1:1,token=t")) {
            assertThrows(AgentInitializationException.class, () -> jvm.attach(wrong), wrong);
            assertEquals("5", jvm.run("tree"));
        }
        String said = jvm.said();
        assertTrue(said.contains("linger must be a time") && said.contains("say where its jars are by kernel=… and probes=…") && said.contains("probes=/nowhere.jar is not a jar"), said);
        try (Channel channel = new Channel()) {
            jvm.attach(jvm.classes() + "," + channel.settings());
            channel.hello();
            channel.ask("activate pattern=\"" + RECURSE + "\"", "active");
            assertEquals("5", jvm.run("tree"));
            assertEquals("records entered=3 exited=3 recorded=3", channel.records());
        }
        assertEquals(0, jvm.end());
    }

    @Test
    void aWrongSettingOfTheOptionStopsTheJvm() throws Exception {
        jvm.start(false, jvm.agent("linger=x"), "-Dmoobench.hotswap.jmx=maybe");
        assertEquals(2, jvm.end());
        assertEquals("moobench: error: hotswap agent: jmx must be one of false, true, not maybe; "
                + "linger must be a time with its unit (ns, us, ms, s, m, h), such as 60s, or 0, not x", sorted(jvm.said()));
    }

    private static String sorted(String said) {
        String prefix = "moobench: error: hotswap agent: ";
        String[] mistakes = said.substring(Math.min(said.length(), prefix.length())).split("; ");
        Arrays.sort(mistakes);
        return prefix + String.join("; ", mistakes);
    }

    @Test
    void byJmx() throws Exception {
        jvm.start(false);
        assertEquals("5", jvm.run("tree"));
        jvm.attach(jvm.classes() + ",jmx=true");
        com.sun.tools.attach.VirtualMachine vm = com.sun.tools.attach.VirtualMachine.attach("" + jvm.pid());
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(vm.startLocalManagementAgent()))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            ObjectName name = new ObjectName("moobench:type=Hotswap");
            assertEquals(null, server.getAttribute(name, "LastSwap"));
            CompositeData swap = call(server, name, "activate", RECURSE);
            assertEquals("1 1 0", swap.get("classes") + " " + swap.get("methods") + " " + ((String[]) swap.get("failures")).length);
            assertTrue((long) swap.get("tookNs") > 0 && swap.containsKey("matchNs") && swap.containsKey("transformNs") && swap.containsKey("swapNs"));
            assertEquals(swap, server.getAttribute(name, "LastSwap"));
            assertEquals(Arrays.asList("+ " + RECURSE), Arrays.asList((String[]) server.getAttribute(name, "Patterns")));
            assertEquals(Arrays.asList(RECURSE), Arrays.asList((String[]) server.getAttribute(name, "Instrumented")));
            call(server, name, "deactivate", RECURSE);
            call(server, name, "remove", RECURSE);
            server.invoke(name, "replace", new Object[] {new String[] {"- " + RECURSE}}, new String[] {String[].class.getName()});
            assertEquals(Arrays.asList("- " + RECURSE), Arrays.asList((String[]) server.getAttribute(name, "Patterns")));
            assertThrows(Exception.class, () -> call(server, name, "activate", "no pattern"));
        } finally {
            vm.detach();
        }
        assertEquals(0, jvm.end());
    }

    private static CompositeData call(MBeanServerConnection server, ObjectName name, String operation, String pattern) throws Exception {
        return (CompositeData) server.invoke(name, operation, new Object[] {pattern}, new String[] {String.class.getName()});
    }

    @Test
    void byAFile() throws Exception {
        Path file = jvm.dir.resolve("patterns.conf");
        put(file, Arrays.asList("# mine", "", "+ " + RECURSE));
        try (Channel channel = new Channel()) {
            jvm.start(false, jvm.agent(jvm.classes() + "," + channel.settings() + ",file=patterns.conf,interval=1,update=true"));
            channel.hello();
            assertEquals(Arrays.asList("pattern text=\"+ " + RECURSE + "\"", "patterns count=1"), channel.ask("patterns", "patterns"));

            put(file, Arrays.asList("+ " + RECURSE, "+ int foreign.Work.leaf()", "- " + RECURSE));
            await(() -> channel.ask("patterns", "patterns").toString().contains("text=\"- " + RECURSE + "\""));
            assertEquals("5", jvm.run("tree"));
            assertEquals("records entered=3 exited=3 recorded=3", channel.records());

            put(file, Arrays.asList("+ " + RECURSE, "int foreign.Work.leaf()", "+ nonsense"));
            await(() -> jvm.said().contains("line 3"));
            assertTrue(jvm.said().contains("patterns.conf: line 2: want + or -") && jvm.said().contains("; line 3: pattern \"nonsense\""), jvm.said());
            Files.delete(file);
            await(() -> jvm.said().contains("can't be read"));
            assertTrue(channel.ask("patterns", "patterns").toString().contains("text=\"- " + RECURSE + "\""));

            channel.ask("activate pattern=\"" + ALL + "\"", "active");
            List<String> written = Files.readAllLines(file);
            assertEquals("+ " + ALL, written.get(written.size() - 1));
            assertTrue(written.get(0).startsWith("#"), written.get(0));
            assertEquals(Arrays.asList("patterns.conf"), jvm.files());
        }
        assertEquals(0, jvm.end());
        assertEquals(2, jvm.said().split("\n").length, jvm.said()); // each change is complained of once
    }

    /** Whole, so that nobody reads half of it. */
    private void put(Path file, List<String> lines) throws Exception {
        Files.move(Files.write(root.resolve("part"), lines), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        for (long end = System.currentTimeMillis() + PATIENCE_MS; !condition.call(); Thread.sleep(20)) {
            assertTrue(System.currentTimeMillis() < end, "it doesn't come");
        }
    }
}
