package moobench.swappers;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import java.util.Map;
import moobench.probes.Probe;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.bytecode.constant.IntegerConstant;

/** Puts the probe in with Byte Buddy's advice, which it copies into the method. */
public final class ByteBuddy extends Transforming {
    private final net.bytebuddy.ByteBuddy library = new net.bytebuddy.ByteBuddy().with(TypeValidation.DISABLED);
    /** Read once; guarded by this object's lock, as are the methods that it asks for. */
    private final Advice advice = Advice.withCustomMapping()
            .bind(Number.class, (type, method, assigner, handler, sort) ->
                    new Advice.OffsetMapping.Target.ForStackManipulation(IntegerConstant.forValue(Probe.method(signature(method)))))
            .to(Around.class);
    private Map<String, String> methods = Collections.emptyMap();

    /** For {@code -Dmoobench.swapper}. */
    public ByteBuddy() {}

    private String signature(MethodDescription method) {
        return methods.get(method.getInternalName() + method.getDescriptor());
    }

    @Override
    protected synchronized byte[] inject(Class<?> type, byte[] classFile, Map<String, String> wanted) {
        methods = wanted;
        return library.decorate(type, ClassFileLocator.Simple.of(type.getName(), classFile))
                .visit(advice.on(method -> signature(method) != null))
                .make().getBytes();
    }

    /** What is copied into a method. */
    static final class Around {
        private Around() {}

        @Advice.OnMethodEnter
        static long enter() {
            return Probe.enter();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter long token, @Number int method) {
            Probe.exit(token, method);
        }
    }

    /** Where the number by which records name the method goes. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Number {}
}
