package moobench.bridge.byteman;

import java.util.ArrayList;
import java.util.List;
import moobench.kernel.Probes;
import moobench.swappers.Commanding;
import org.jboss.byteman.agent.Main;
import org.jboss.byteman.agent.submit.ScriptText;
import org.jboss.byteman.agent.submit.Submit;

/** Sends rules to Byteman's listener, as its {@code bmsubmit} does, and has them taken out again. */
public final class Submitting extends Commanding {
    /** A rule for each way in and out: its name and its event. */
    private static final String[][] RULES = {{"begin()", "ENTRY"}, {"end(\"%s\")", "EXIT"}, {"end(\"%s\")", "EXCEPTION EXIT"}};

    private final Submit listener;

    /** For {@code -Dmoobench.swapper}: starts Byteman, which has no rules then and does nothing. */
    public Submitting() throws Exception {
        int port = freePort();
        Main.premain("listener:true,address:" + LOOPBACK + ",port:" + port, Probes.instrumentation());
        listener = new Submit(LOOPBACK, port);
    }

    @Override
    protected void enter(List<Place> methods) throws Exception {
        check("install", methods, listener.addScripts(scripts(methods)));
    }

    @Override
    protected void leave(List<Place> methods) throws Exception {
        check("uninstall", methods, listener.deleteScripts(scripts(methods)));
    }

    /** It answers in words: a line for each rule. */
    private static void check(String verb, List<Place> methods, String answer) {
        int lines = answer.split("(?im)^" + verb + " rule ", -1).length - 1;
        if (lines != RULES.length * methods.size()) {
            throw new IllegalStateException("Byteman did not " + verb + " all rules, but says: " + answer.trim());
        }
    }

    private static List<ScriptText> scripts(List<Place> methods) {
        List<ScriptText> all = new ArrayList<>();
        for (Place method : methods) {
            all.add(new ScriptText(method.signature, script(method)));
        }
        return all;
    }

    private static String script(Place method) {
        String parameters = method.signature.substring(method.signature.indexOf('('), method.signature.indexOf(')') + 1);
        StringBuilder rules = new StringBuilder();
        for (String[] rule : RULES) {
            rules.append("RULE ").append(rule[1]).append(" of ").append(method.signature)
                    .append("\nCLASS ").append(method.type.getName()).append("\nMETHOD ").append(method.name).append(parameters)
                    .append("\nHELPER ").append(Calls.class.getName()).append("\nAT ").append(rule[1])
                    .append("\nIF TRUE\nDO ").append(String.format(rule[0], method.signature)).append("\nENDRULE\n");
        }
        return rules.toString();
    }
}
