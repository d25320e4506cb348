import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * Judges electronic invoices with the Mustang project's validator, many in one Java machine.
 *
 * <p>Each argument is a PDF or XML file. For each it prints a line of JSON: the file, whether it is
 * valid, the rules that failed with what they say, and how many were asked.
 */
public class Judge {
  public static void main(String[] args) throws Exception {
    for (String arg : args) {
      System.out.println(judge(arg));
    }
  }

  private static String judge(String file) throws Exception {
    String said = new ZUGFeRDValidator().validate(file);
    Document report = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(said)));
    List<String> failed = new ArrayList<>();
    for (String kind : new String[] {"exception", "fatal", "error", "warning"}) {
      NodeList list = report.getElementsByTagName(kind);
      for (int i = 0; i < list.getLength(); i++) {
        Element e = (Element) list.item(i);
        failed.add(quote(kind + ": " + e.getTextContent().trim() + " " + e.getAttribute("location")));
      }
    }
    NodeList verdicts = report.getElementsByTagName("summary");
    boolean valid = verdicts.getLength() > 0;
    for (int i = 0; i < verdicts.getLength(); i++) {
      valid &= ((Element) verdicts.item(i)).getAttribute("status").equals("valid");
    }
    return "{\"file\":" + quote(file) + ",\"valid\":" + valid + ",\"rules\":" + rules(report) + ",\"failed\":[" + String.join(",", failed) + "]}";
  }

  /** rules is how many rules of the profile were asked. */
  private static String rules(Document report) {
    NodeList fired = report.getElementsByTagName("fired");
    return fired.getLength() > 0 ? fired.item(0).getTextContent().trim() : "0";
  }

  private static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
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
