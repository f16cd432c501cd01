package moobench.swappers;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtMethod;
import javassist.LoaderClassPath;
import javassist.bytecode.AccessFlag;
import javassist.bytecode.AnnotationsAttribute;
import javassist.bytecode.AttributeInfo;
import javassist.bytecode.BadBytecode;
import javassist.bytecode.ClassFile;
import javassist.bytecode.ExceptionsAttribute;
import javassist.bytecode.MethodInfo;
import javassist.bytecode.SignatureAttribute;
import javassist.bytecode.annotation.Annotation;
import moobench.probes.Probe;
import moobench.probes.patterns.Signature;

/** Puts the probe in with Javassist, from source text that it compiles. */
public final class Javassist extends Transforming implements Library {
    /** For {@code -Dmoobench.swapper}, and for the agent. */
    public Javassist() {}

    @Override
    public byte[] inject(ClassLoader loader, String name, byte[] classFile, Map<String, String> methods) throws Exception {
        ClassPool pool = new ClassPool();
        pool.appendClassPath(new LoaderClassPath(loader));
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

    @Override
    public Map<String, Signature> methods(ClassLoader loader, String name, byte[] classFile, boolean annotated) throws Exception {
        ClassFile file = new ClassFile(new DataInputStream(new ByteArrayInputStream(classFile)));
        Map<String, Signature> all = new LinkedHashMap<>();
        for (MethodInfo method : file.getMethods()) {
            if (method.isMethod() && (method.getAccessFlags() & (AccessFlag.ABSTRACT | AccessFlag.NATIVE)) == 0) {
                all.put(method.getName() + method.getDescriptor(), signature(file, method, annotated));
            }
        }
        return all;
    }

    private static Signature signature(ClassFile file, MethodInfo method, boolean annotated) throws BadBytecode {
        SignatureAttribute.MethodSignature types = SignatureAttribute.toMethodSignature(method.getDescriptor());
        List<String> parameters = new ArrayList<>();
        for (SignatureAttribute.Type parameter : types.getParameterTypes()) {
            parameters.add(parameter.toString());
        }
        ExceptionsAttribute thrown = method.getExceptionsAttribute();
        List<String> annotations = new ArrayList<>();
        if (annotated) {
            annotations.addAll(names(file.getAttribute(AnnotationsAttribute.visibleTag)));
            annotations.addAll(names(method.getAttribute(AnnotationsAttribute.visibleTag)));
        }
        return Signature.of(method.getAccessFlags(), file.isInterface(), types.getReturnType().toString(), file.getName(), method.getName(),
                parameters, thrown == null ? Collections.emptyList() : Arrays.asList(thrown.getExceptions()), annotations);
    }

    private static List<String> names(AttributeInfo annotations) {
        List<String> names = new ArrayList<>();
        if (annotations != null) {
            for (Annotation each : ((AnnotationsAttribute) annotations).getAnnotations()) {
                names.add(each.getTypeName());
            }
        }
        return names;
    }
}
