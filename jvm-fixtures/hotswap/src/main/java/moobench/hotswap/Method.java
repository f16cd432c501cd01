package moobench.hotswap;

import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/** A method as a pattern sees it; types are named as in source, nested ones with $. */
final class Method {
    final int modifiers;
    /** {@code new} for a constructor. */
    final String returnType;
    final String className;
    final String name;
    final List<String> parameters = new ArrayList<>();

    private Method(int modifiers, String returnType, String className, String name) {
        this.modifiers = modifiers;
        this.returnType = returnType;
        this.className = className;
        this.name = name;
    }

    /** The method of a class file. */
    static Method of(String className, MethodNode node) {
        boolean constructor = node.name.equals("<init>");
        Type type = Type.getMethodType(node.desc);
        Method method = new Method(node.access, constructor ? "new" : type.getReturnType().getClassName(), className, node.name);
        for (Type parameter : type.getArgumentTypes()) {
            method.parameters.add(parameter.getClassName());
        }
        return method;
    }

    /** The method of a loaded class. */
    static Method of(Executable executable) {
        boolean constructor = executable instanceof java.lang.reflect.Constructor;
        String returnType = constructor ? "new" : ((java.lang.reflect.Method) executable).getReturnType().getTypeName();
        Method method = new Method(executable.getModifiers(), returnType, executable.getDeclaringClass().getName(), constructor ? "<init>" : executable.getName());
        for (Class<?> parameter : executable.getParameterTypes()) {
            method.parameters.add(parameter.getTypeName());
        }
        return method;
    }

    /** The signature, such as {@code public long a.B.run(long, int)}. */
    @Override
    public String toString() {
        String modifiers = java.lang.reflect.Modifier.toString(this.modifiers & java.lang.reflect.Modifier.methodModifiers());
        return (modifiers + " " + returnType + " " + className + "." + name + "(" + String.join(", ", parameters) + ")").trim();
    }
}
