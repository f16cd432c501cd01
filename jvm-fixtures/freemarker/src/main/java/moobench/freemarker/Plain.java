package moobench.freemarker;

import freemarker.cache.ClassTemplateLoader;
import freemarker.cache.StrongCacheStorage;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.SimpleHash;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import moobench.kernel.Target;

/** One call renders two pages with the same model, into a writer of the calling thread that keeps only a checksum. */
public final class Plain implements Target {
    private final Template[] pages;
    private final SimpleHash model;
    private final ThreadLocal<Checksum> out = ThreadLocal.withInitial(Checksum::new);

    /** Parses the templates and makes the model: a call does neither. */
    public Plain() throws IOException {
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
        configuration.setTemplateLoader(new ClassTemplateLoader(Plain.class, ""));
        // Nothing that a clock or a collection decides: templates are never looked at
        // again, and never dropped.
        configuration.setCacheStorage(new StrongCacheStorage());
        configuration.setTemplateUpdateDelayMilliseconds(Long.MAX_VALUE);
        configuration.setLocale(Locale.ROOT);
        configuration.setNumberFormat("0.00");
        configuration.setDefaultEncoding("UTF-8");
        pages = new Template[] {configuration.getTemplate("catalogue.ftlh"), configuration.getTemplate("invoice.ftlh")};
        model = new SimpleHash(Shop.model(), new DefaultObjectWrapper(Configuration.VERSION_2_3_34));
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Checksum into = out.get();
        into.reset();
        try {
            render(into);
        } catch (TemplateException | IOException e) {
            throw new IllegalStateException("freemarker: " + e.getMessage(), e);
        }
        return into.value();
    }

    void render(Writer into) throws TemplateException, IOException {
        for (Template page : pages) {
            page.process(model, into);
        }
    }
}
