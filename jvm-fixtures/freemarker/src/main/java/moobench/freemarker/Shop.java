package moobench.freemarker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the pages show: articles of a shop, and an order of some of them. Always the same. */
final class Shop {
    private static final int ARTICLES = 40;
    private static final String[] GROUPS = {"tools", "bolts & nuts", "paint", "\"loose\" goods"};

    private Shop() {}

    static Map<String, Object> model() {
        List<Article> articles = new ArrayList<>();
        for (int i = 0; i < ARTICLES; i++) {
            articles.add(new Article(i));
        }
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("title", "Shop of <Things> & More");
        model.put("groups", Arrays.asList(GROUPS));
        model.put("articles", articles);
        model.put("order", articles.subList(5, 20));
        model.put("customer", Collections.singletonMap("name", "A. O'Neill <ao@example.org>"));
        return model;
    }

    /** An article, read by the templates through its getters. */
    public static final class Article {
        private final int number;

        Article(int number) {
            this.number = number;
        }

        public int getNumber() {
            return number;
        }

        public String getName() {
            return "article <" + number + "> & co";
        }

        public String getGroup() {
            return GROUPS[number % GROUPS.length];
        }

        public double getPrice() {
            return 0.25 * (number + 1) * (number % 7 + 1);
        }

        public int getStock() {
            return number * 37 % 11;
        }
    }
}
