package moobench.swappers;

import java.io.ByteArrayInputStream;
import java.util.Map;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtMethod;
import javassist.LoaderClassPath;
import moobench.probes.Probe;

/** Puts the probe in with Javassist, from source text that it compiles. */
public final class Javassist extends Transforming {
    /** For {@code -Dmoobench.swapper}. */
    public Javassist() {}

    @Override
    protected byte[] inject(Class<?> type, byte[] classFile, Map<String, String> methods) throws Exception {
        ClassPool pool = new ClassPool();
        pool.appendClassPath(new LoaderClassPath(type.getClassLoader()));
        CtClass written = pool.makeClass(new ByteArrayInputStream(classFile));
        for (CtMethod method : written.getDeclaredMethods()) {
            String signature = methods.get(method.getName() + method.getSignature());
            if (signature != null) {
                surround(method, Probe.method(signature));
            }
        }
        return written.toBytecode();
    }

    /** The exit first: the other way round its handler would reach over the instruction that sets the token. */
    private static void surround(CtMethod method, int id) throws Exception {
        method.addLocalVariable("moobenchToken", CtClass.longType);
        method.insertAfter("moobench.probes.Probe.exit(moobenchToken, " + id + ");", true);
        method.insertBefore("moobenchToken = moobench.probes.Probe.enter();");
    }
}
