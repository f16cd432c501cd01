package moobench.bridge.aspectj;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import moobench.probes.Probe;
import moobench.probes.patterns.Signature;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Pointcut;
import org.aspectj.lang.reflect.MethodSignature;

/** The aspect: the probe around each execution of the methods that a concrete aspect in aop.xml names. */
@Aspect
public abstract class Monitoring {
    /** By the place in the code, of which there is one object. */
    private final Map<JoinPoint.StaticPart, Integer> methods = new ConcurrentHashMap<>();

    /** The executions; said in aop.xml. */
    @Pointcut
    public abstract void monitored();

    /** Records an execution. */
    @Around("monitored()")
    public Object record(ProceedingJoinPoint call) throws Throwable {
        int method = method(call.getStaticPart());
        long token = Probe.isGuarded() ? Probe.enterIfActive() : Probe.enter();
        try {
            return call.proceed();
        } finally {
            Probe.exit(token, method);
        }
    }

    private int method(JoinPoint.StaticPart place) {
        Integer known = methods.get(place);
        return known != null ? known : methods.computeIfAbsent(place, Monitoring::number);
    }

    private static int number(JoinPoint.StaticPart place) {
        return Probe.method(Signature.of(((MethodSignature) place.getSignature()).getMethod(), false).toString());
    }
}
