package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** Which handlers reach what is written, and so what becomes of it where it throws: the table of the fixtures' README. */
class BodyTest {
    private static final int WITHIN = 1;
    private static final int BEYOND = 2;
    private static final int HANDLED = 3;

    /** A method that returns where a handler of its own reaches, which returns, too. */
    private static Body guarded() {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "run", "()V", null, null);
        Label from = new Label();
        Label to = new Label();
        Label handler = new Label();
        method.visitTryCatchBlock(from, to, handler, "java/lang/RuntimeException");
        method.visitLabel(from);
        method.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "yield", "()V", false);
        method.visitInsn(Opcodes.RETURN);
        method.visitLabel(to);
        method.visitLabel(handler);
        method.visitInsn(Opcodes.POP);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(1, 0);
        return new Body("a/B", method, Opcodes.V1_8);
    }

    /** How many handlers reach the instructions that load this number, in their order. */
    private static String reached(MethodNode method, int number) {
        StringBuilder all = new StringBuilder();
        for (AbstractInsnNode i : method.instructions) {
            if (i instanceof LdcInsnNode && ((LdcInsnNode) i).cst.equals(number)) {
                int at = method.instructions.indexOf(i);
                int handlers = 0;
                for (TryCatchBlockNode each : method.tryCatchBlocks) {
                    handlers += method.instructions.indexOf(each.start) <= at && at < method.instructions.indexOf(each.end) ? 1 : 0;
                }
                all.append(handlers);
            }
        }
        return all.toString();
    }

    @Test
    void whatComesBeforeAReturnIsReachedOnceOrNever() {
        Body body = guarded();
        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        body.first(new Code().at(from));
        body.protect(from, handler, () -> new Code().number(WITHIN).does(Opcodes.POP), () -> new Code().number(BEYOND).does(Opcodes.POP));
        body.handler(handler, Body.handlerFrame(), new Code().number(HANDLED).does(Opcodes.POP));
        assertEquals("21", reached(body.method, WITHIN)); // by ours, and the first by the method's own
        assertEquals("00", reached(body.method, BEYOND));
        assertEquals("0", reached(body.method, HANDLED));
    }

    /** A lock that is given back, and then told of, in a handler that reaches what gives it back and nothing more. */
    @Test
    void aBlockAroundABody() {
        Body body = guarded();
        body.method.access |= Opcodes.ACC_SYNCHRONIZED;
        int lock = body.variables(1);
        Code asked = new Code().number(WITHIN).does(Opcodes.POP);
        Code thrown = new Code().number(HANDLED).does(Opcodes.POP);
        body.wrap(lock, asked, new Code(), () -> Body.exit(lock), () -> new Code().number(BEYOND).does(Opcodes.POP), thrown);
        assertFalse(Body.isLocked(body.method));
        assertEquals("0", reached(body.method, WITHIN));
        assertEquals("00", reached(body.method, BEYOND));
        assertEquals("0", reached(body.method, HANDLED));
        int exits = 0;
        for (AbstractInsnNode i : body.method.instructions) {
            if (i.getOpcode() == Opcodes.MONITOREXIT) {
                exits++;
                assertEquals(exits == 3, body.isInHandler(i));
            }
        }
        assertEquals(3, exits);
        assertTrue(body.method.instructions.getFirst().getOpcode() == Opcodes.LDC, "a static method locks its class");
    }
}
