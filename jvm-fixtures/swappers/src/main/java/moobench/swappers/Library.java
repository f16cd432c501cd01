package moobench.swappers;

import java.util.Map;
import moobench.probes.patterns.Signature;

/** A library that reads and writes class files: into those of running classes, and into those that are just being loaded. */
interface Library {
    /**
     * The methods of a class file: name and descriptor, and the signature.
     *
     * @param annotated whether their annotations are wanted
     */
    Map<String, Signature> methods(ClassLoader loader, String name, byte[] classFile, boolean annotated) throws Exception;

    /** The class file with the probe around these methods: name and descriptor, and the signature. */
    byte[] inject(ClassLoader loader, String name, byte[] classFile, Map<String, String> methods) throws Exception;
}
