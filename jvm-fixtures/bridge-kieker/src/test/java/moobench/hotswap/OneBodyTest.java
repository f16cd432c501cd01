package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import moobench.bridge.kieker.Manual;
import moobench.calls.Plain;
import moobench.kernel.BusyWait;
import moobench.probes.Methods;
import moobench.probes.PerThread;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** By the class files: the probe that is compiled in and the one that is put in are the same code. */
class OneBodyTest {
    private static final String PROBE = "moobench/hotswap/KiekerProbe";

    private static byte[] file(String internalName) throws IOException {
        try (InputStream in = OneBodyTest.class.getClassLoader().getResourceAsStream(internalName + ".class")) {
            return in.readAllBytes();
        }
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static ClassNode node(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, 0);
        return node;
    }

    private static MethodNode method(ClassNode type, String method) {
        return type.methods.stream().filter(m -> (m.name + m.desc).equals(method)).findFirst().orElseThrow(() -> new AssertionError(type.name + " has no " + method));
    }

    private static List<MethodInsnNode> calls(MethodNode method) {
        List<MethodInsnNode> calls = new ArrayList<>();
        for (AbstractInsnNode i : method.instructions) {
            if (i instanceof MethodInsnNode) {
                calls.add((MethodInsnNode) i);
            }
        }
        return calls;
    }

    /** What the monitored method calls, in its order; its own class is called "this". */
    private static List<String> calls(byte[] file) {
        ClassNode type = node(file);
        List<String> names = new ArrayList<>();
        for (MethodInsnNode call : calls(method(type, "monitoredMethod(JI)J"))) {
            names.add((call.owner.equals(type.name) ? "this" : call.owner) + "." + call.name + call.desc);
        }
        return names;
    }

    private static byte[] putIn(Calls.Enter enter) throws IOException {
        return new Injector(new Calls(PROBE, enter)).inject(file(name(Plain.class)), signature -> signature.toString().contains("monitoredMethod"), Collections.emptySet(), new Supertypes(() -> null)).file;
    }

    /** Calls of a probe that enters by this method; it exits at the end, and where something is thrown. */
    private static List<String> with(String enter) {
        String work = name(BusyWait.class) + ".spend(J)J";
        String exit = PROBE + ".exit(JI)V";
        return Arrays.asList(PROBE + "." + enter, "this.monitoredMethod(JI)J", work, exit, exit);
    }

    @Test
    void compiledInAndPutInCallTheSameProbe() throws Exception {
        assertEquals(with("enterIfActive(Ljava/lang/String;)J"), calls(file(name(Manual.class))));
        assertEquals(with("enter()J"), calls(putIn(Calls.Enter.ALWAYS)));
        assertEquals(with("enterIfOn(I)J"), calls(putIn(Calls.Enter.IF_ON)));
    }

    @Test
    void theDoorsDifferByWhatTheyAskAlone() throws Exception {
        String controller = "kieker/monitoring/core/controller/IMonitoringController.";
        String enabled = controller + "isMonitoringEnabled()Z";
        assertEquals(Arrays.asList(enabled, "this.begin()J"), calls("enter()J"));
        assertEquals(Arrays.asList(enabled, controller + "isProbeActivated(Ljava/lang/String;)Z", "this.begin()J"), calls("enterIfActive(Ljava/lang/String;)J"));
        assertEquals(Collections.singletonList("this.enter()J"), calls("enterIfActive()J"));
    }

    private static List<String> calls(String door) throws IOException {
        ClassNode probe = node(file(PROBE));
        List<String> names = new ArrayList<>();
        for (MethodInsnNode call : calls(method(probe, door))) {
            names.add((call.owner.equals(probe.name) ? "this" : call.owner) + "." + call.name + call.desc);
        }
        return names;
    }

    /** Whatever of ours an execution passes through counts without an atomic, and without a lock; but the first one of a thread. */
    @Test
    void nothingOfOursInACallIsAtomicOrLocks() throws Exception {
        Deque<String> open = new ArrayDeque<>(Arrays.asList(PROBE + " enter()J", PROBE + " enterIfActive(Ljava/lang/String;)J", PROBE + " exit(JI)V"));
        Set<String> seen = new TreeSet<>();
        while (!open.isEmpty()) {
            String next = open.pop();
            if (!seen.add(next)) {
                continue;
            }
            String[] parts = next.split(" ");
            MethodNode method = method(node(file(parts[0])), parts[1]);
            assertEquals(0, method.access & Opcodes.ACC_SYNCHRONIZED, next);
            for (AbstractInsnNode i : method.instructions) {
                assertFalse(i.getOpcode() == Opcodes.MONITORENTER, next);
            }
            for (MethodInsnNode call : calls(method)) {
                assertFalse(call.owner.startsWith("java/util/concurrent/"), next + " calls " + call.owner);
                boolean first = next.startsWith(name(PerThread.class)) && call.name.equals("begin");
                if (call.owner.startsWith("moobench/") && !first) {
                    // PerThread's own methods are called by the name of what extends it.
                    boolean inherited = node(file(call.owner)).methods.stream().noneMatch(m -> (m.name + m.desc).equals(call.name + call.desc));
                    open.push((inherited ? name(PerThread.class) : call.owner) + " " + call.name + call.desc);
                }
            }
        }
        assertTrue(seen.contains(name(PerThread.class) + " mine()Ljava/lang/Object;"), seen.toString());
        assertTrue(seen.contains(name(Methods.class) + " signature(I)Ljava/lang/String;"), seen.toString());
    }
}
