package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Classes that no Java compiler makes: with methods of every name, type and size. */
class ShapesTest {
    private static final Supertypes TYPES = new Supertypes(() -> ShapesTest.class.getClassLoader());
    private static final String[] RETURNED = {"V", "Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/String;", "[I", "[[Ljava/lang/String;", "Lodd/a/Odd-Type$ x;", "[Lodd/a/*;"};
    private static final int[] ACCESS = {0, Opcodes.ACC_PUBLIC, Opcodes.ACC_PRIVATE, Opcodes.ACC_PROTECTED, Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, Opcodes.ACC_FINAL | Opcodes.ACC_SYNCHRONIZED, Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE, Opcodes.ACC_VARARGS | Opcodes.ACC_STRICT};
    private static final String[] NAMES = {"plain", "get-abc123", "a b", "x\"y", "na\u00efve", "\uD835\uDC9C", "1", "*", "(", "a,b", "\\u0041", "@Mark", "]", "\n", "+", "-"};
    private static final String[][] THROWN = {null, {"java/io/IOException"}, {"odd/a/Un-checked"}};

    private static final Plan LOCKS = new Locks(Doors.EVENTS, Collections.singleton("calls"));

    private final Set<String> made = new LinkedHashSet<>();

    private byte[] generated(String name) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        for (String parameters : new String[] {"", "I", "[J", "Lodd/a/Odd-Type$ x;"}) {
            constructor(writer, "(" + parameters + ")V");
        }
        int n = 0;
        for (String method : NAMES) {
            for (String returned : RETURNED) {
                method(writer, ACCESS[n % ACCESS.length], method, "(" + RETURNED[1 + n % (RETURNED.length - 1)] + "J)" + returned, THROWN[n % THROWN.length]);
                n++;
            }
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void constructor(ClassWriter writer, String descriptor) {
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PRIVATE, "<init>", descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        made.add("<init>" + descriptor);
    }

    private void method(ClassWriter writer, int access, String name, String descriptor, String[] thrown) {
        MethodVisitor code = writer.visitMethod(access, name, descriptor, null, thrown);
        Type returned = Type.getReturnType(descriptor);
        code.visitCode();
        switch (returned.getSort()) {
            case Type.VOID: break;
            case Type.LONG: code.visitInsn(Opcodes.LCONST_0); break;
            case Type.FLOAT: code.visitInsn(Opcodes.FCONST_0); break;
            case Type.DOUBLE: code.visitInsn(Opcodes.DCONST_0); break;
            case Type.ARRAY:
            case Type.OBJECT: code.visitInsn(Opcodes.ACONST_NULL); break;
            default: code.visitInsn(Opcodes.ICONST_0);
        }
        code.visitInsn(returned.getOpcode(Opcodes.IRETURN));
        code.visitMaxs(0, 0);
        made.add(name + descriptor);
    }

    private static Injector.Injected inject(byte[] file, Plan plan, String pattern) {
        PatternList list = PatternList.parse("+ " + pattern);
        return new Injector(plan).inject(file, list::includes, null, TYPES);
    }

    /** Every method and constructor, whatever its name, type, visibility and exceptions; and each alone, by its signature. */
    @Test
    void everyMethodOfAClass() {
        byte[] file = generated("odd/a/Odd-Name$ with space");
        Injector.Injected all = inject(file, new Calls(Doors.EVENTS, Calls.Enter.EVENT_AND_WAITS), "odd.a.Odd-Name$\\ with\\ space.*(..)");
        assertEquals(made.size(), all.in.size());
        assertEquals(Collections.emptyList(), all.left);
        assertEquals(all.in.keySet(), inject(file, new Calls(Doors.EVENTS, Calls.Enter.EVENT), "odd..*.*(..)").in.keySet());
        assertEquals(all.in.keySet(), inject(file, LOCKS, "*").in.keySet());
        for (Signature each : all.in.keySet()) {
            String signature = each.toString().replaceAll("^(.*)\\b(bridge|varargs|volatile|transient|strictfp) ", "$1");
            assertEquals(Collections.singleton(each), inject(file, new Calls(Doors.EVENTS, Calls.Enter.EVENT), signature).in.keySet());
        }
    }

    /** A method that got another shape keeps it, whether it is monitored any longer or not: the JVM takes no other. */
    @Test
    void aShapeIsKept() {
        byte[] file = generated("odd/a/Kept");
        Injector injector = new Injector(new Calls(Doors.EVENTS, Calls.Enter.EVENT_AND_WAITS));
        Injector.Injected first = injector.inject(file, method -> true, null, TYPES);
        assertTrue(first.shaped.size() > 10, first.shaped.toString());
        Injector.Injected out = injector.inject(file, method -> false, first.shaped, TYPES);
        assertEquals(Collections.emptyMap(), out.in);
        assertEquals(shape(first.file), shape(out.file));
        assertEquals(shape(file), shape(injector.inject(file, method -> true, Collections.emptySet(), TYPES).file));
    }

    /** What of a class the JVM does not exchange: its fields and methods with their modifiers. */
    private static List<String> shape(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, 0);
        List<String> all = new ArrayList<>();
        node.fields.forEach(f -> all.add(f.access + " " + f.name + " " + f.desc + " " + f.value));
        node.methods.forEach(m -> all.add(m.access + " " + m.name + m.desc));
        return all;
    }

    /** A method that has no room for a probe costs itself: the others of its class have theirs, and it does what it did. */
    @Test
    void aMethodWithoutRoomCostsItself() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "odd/Big", null, "java/lang/Object", null);
        constructor(writer, "()V");
        method(writer, Opcodes.ACC_SYNCHRONIZED, "small", "()I", null);
        for (String name : new String[] {"huge", "vast"}) {
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_SYNCHRONIZED, name, "()V", null, null);
            code.visitCode();
            for (int i = 0; i < 65_530; i++) {
                code.visitInsn(Opcodes.NOP);
            }
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
        }
        writer.visitEnd();
        byte[] file = writer.toByteArray();
        List<Plan> plans = new ArrayList<>(Collections.singletonList(LOCKS));
        for (Calls.Enter enter : Calls.Enter.values()) {
            plans.add(new Calls(Doors.EVENTS, enter));
        }
        for (Plan plan : plans) {
            Injector.Injected injected = inject(file, plan, "*");
            assertEquals(2, injected.in.size(), plan.toString());
            assertEquals(2, injected.left.size(), injected.left.toString());
            assertTrue(injected.left.get(0).startsWith("synchronized void odd.Big.huge(): with a probe it is larger than the 64 KiB"), injected.left.toString());
            ClassNode node = new ClassNode();
            new ClassReader(injected.file).accept(node, 0);
            for (MethodNode each : node.methods) {
                boolean large = each.name.equals("huge") || each.name.equals("vast");
                assertEquals(large, each.instructions.size() > 65_000 && Body.isLocked(each), each.name);
            }
        }
    }
}
