import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.RuleId;

/**
 * Validates PDF files with veraPDF, many in one Java machine.
 *
 * <p>Each argument is {@code flavour=path}, or {@code flavour:password=path} for a protected file,
 * where a flavour is one of veraPDF's ids: ua1, 2b, 3b, 2a. For each it prints a line of JSON: the
 * flavour, the file, the rules that passed, and for each failed rule its clause, how often it failed
 * and the first three places.
 */
public class Validate {
  private static final int MAX_FAILURES = 100;

  public static void main(String[] args) {
    Logger.getLogger("").setLevel(Level.OFF);
    VeraGreenfieldFoundryProvider.initialise();
    for (String arg : args) {
      int cut = arg.indexOf('=');
      System.out.println(check(arg.substring(0, cut), Path.of(arg.substring(cut + 1))));
    }
  }

  private static String check(String target, Path file) {
    String[] parts = target.split(":", 2);
    String id = parts[0];
    String password = parts.length > 1 ? parts[1] : null;
    StringBuilder out = new StringBuilder();
    out.append("{\"flavour\":").append(quote(id)).append(",\"file\":").append(quote(file.toString()));
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(id);
    try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file));
        PDFAParser parser = Foundries.defaultInstance().createParser(in, flavour, password);
        PDFAValidator validator =
            Foundries.defaultInstance().createValidator(flavour, MAX_FAILURES, false, false, false)) {
      ValidationResult result = validator.validate(parser);
      out.append(",\"passed\":[").append(String.join(",", passed(result))).append("]");
      out.append(",\"checks\":").append(result.getTotalAssertions());
      out.append(",\"compliant\":").append(result.isCompliant());
      out.append(",\"failed\":[").append(String.join(",", failures(result))).append("]}");
    } catch (Exception | StackOverflowError e) {
      out.append(",\"error\":").append(quote(e.toString())).append("}");
    }
    return out.toString();
  }

  private static List<String> passed(ValidationResult result) {
    Set<String> failed = new TreeSet<>();
    for (TestAssertion a : result.getTestAssertions()) {
      if (a.getStatus() == TestAssertion.Status.FAILED) {
        failed.add(name(a.getRuleId()));
      }
    }
    List<String> out = new ArrayList<>();
    for (Rule rule : result.getValidationProfile().getRules()) {
      if (!failed.contains(name(rule.getRuleId()))) {
        out.add(quote(name(rule.getRuleId())));
      }
    }
    return out;
  }

  private static String name(RuleId rule) {
    return rule.getClause() + "-" + rule.getTestNumber();
  }

  private static List<String> failures(ValidationResult result) {
    Map<String, List<TestAssertion>> byRule = new TreeMap<>();
    for (TestAssertion a : result.getTestAssertions()) {
      if (a.getStatus() != TestAssertion.Status.FAILED) {
        continue;
      }
      byRule.computeIfAbsent(name(a.getRuleId()), k -> new ArrayList<>()).add(a);
    }
    List<String> out = new ArrayList<>();
    byRule.forEach((key, found) -> {
      List<String> places = new ArrayList<>();
      for (TestAssertion a : found.subList(0, Math.min(3, found.size()))) {
        places.add(quote(a.getLocation().getContext() + " " + a.getErrorArguments().stream().map(x -> x.getName() + "=" + x.getArgumentValue()).toList()));
      }
      out.add("{\"rule\":" + quote(key) + ",\"count\":" + found.size() + ",\"message\":"
          + quote(found.get(0).getMessage()) + ",\"places\":[" + String.join(",", places) + "]}");
    });
    return out;
  }

  private static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : String.valueOf(s).toCharArray()) {
      if (c == '"' || c == '\\') {
        b.append('\\').append(c);
      } else if (c < ' ') {
        b.append(String.format("\\u%04x", (int) c));
      } else {
        b.append(c);
      }
    }
    return b.append('"').toString();
  }
}
