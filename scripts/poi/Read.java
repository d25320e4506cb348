import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.poi.ooxml.POIXMLDocumentPart;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.opc.PackageAccess;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.CellType;
import org.apache.poi.ss.usermodel.CellValue;
import org.apache.poi.ss.usermodel.FormulaEvaluator;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.util.AreaReference;
import org.apache.poi.ss.util.CellReference;
import org.apache.poi.xddf.usermodel.chart.XDDFChart;
import org.apache.poi.xddf.usermodel.chart.XDDFChartData;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFChart;
import org.apache.poi.xslf.usermodel.XSLFShape;
import org.apache.poi.xslf.usermodel.XSLFSlide;
import org.apache.poi.xslf.usermodel.XSLFTable;
import org.apache.poi.xssf.usermodel.XSSFChart;
import org.apache.poi.xssf.usermodel.XSSFSheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.IBodyElement;
import org.apache.poi.xwpf.usermodel.XWPFChart;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.poi.xwpf.usermodel.XWPFParagraph;
import org.apache.poi.xwpf.usermodel.XWPFStyle;
import org.apache.poi.xwpf.usermodel.XWPFTable;
import org.apache.poi.xwpf.usermodel.XWPFTableCell;
import org.apache.poi.xwpf.usermodel.XWPFTableRow;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads Office files with Apache POI, many in one Java machine.
 *
 * <p>Each argument is a file. For each it prints a line of JSON: how many sheets or slides, tables,
 * formulas, series of charts and points of them it has, its headings or the titles of its slides, how
 * many rows of each table are headers that pages repeat, and what is wrong: formulas that compute to
 * something else than the file says, points of charts that are not what their cells hold.
 */
public class Read {
  private int sheets, tables, formulas, series, points;
  private final List<String> wrong = new ArrayList<>();
  private final List<String> titles = new ArrayList<>();
  private final List<Integer> heads = new ArrayList<>();

  public static void main(String[] args) {
    System.setProperty(
        "log4j2.loggerContextFactory", "org.apache.logging.log4j.simple.SimpleLoggerContextFactory");
    for (String arg : args) {
      System.out.println(new Read().file(arg));
    }
  }

  private String file(String name) {
    String error = "";
    try (OPCPackage opened = OPCPackage.open(name, PackageAccess.READ)) {
      if (name.endsWith(".docx")) {
        word(new XWPFDocument(opened));
      } else if (name.endsWith(".pptx")) {
        presentation(new XMLSlideShow(opened));
      } else {
        workbook(new XSSFWorkbook(opened));
      }
    } catch (Exception | StackOverflowError e) {
      error = e.toString();
    }
    return String.format(
        "{\"file\":%s,\"sheets\":%d,\"tables\":%d,\"formulas\":%d,\"series\":%d,\"points\":%d,\"titles\":%s,\"heads\":%s,\"wrong\":%s,\"error\":%s}",
        quote(name), sheets, tables, formulas, series, points, quote(titles), heads, quote(wrong), quote(error));
  }

  private void workbook(XSSFWorkbook book) throws Exception {
    FormulaEvaluator evaluator = book.getCreationHelper().createFormulaEvaluator();
    for (Sheet sheet : book) {
      sheets++;
      tables += ((XSSFSheet) sheet).getTables().size();
      for (Row row : sheet) {
        for (Cell cell : row) {
          if (cell.getCellType() == CellType.FORMULA) {
            formula(cell, evaluator);
          }
        }
      }
      if (((XSSFSheet) sheet).getDrawingPatriarch() != null) {
        for (XSSFChart chart : ((XSSFSheet) sheet).getDrawingPatriarch().getCharts()) {
          chart(book, chart);
        }
      }
    }
  }

  private void word(XWPFDocument document) throws Exception {
    for (IBodyElement element : document.getBodyElements()) {
      element(document, element);
    }
    for (XWPFChart chart : document.getCharts()) {
      chart(chart.getWorkbook(), chart);
    }
  }

  private void element(XWPFDocument document, IBodyElement element) {
    if (element instanceof XWPFParagraph) {
      XWPFParagraph paragraph = (XWPFParagraph) element;
      XWPFStyle style = paragraph.getStyleID() == null ? null : document.getStyles().getStyle(paragraph.getStyleID());
      if (style != null && style.getName().toLowerCase().startsWith("heading ")) {
        titles.add(paragraph.getText());
      }
    } else if (element instanceof XWPFTable) {
      XWPFTable table = (XWPFTable) element;
      XWPFStyle style = table.getStyleID() == null ? null : document.getStyles().getStyle(table.getStyleID());
      if (style != null && style.getName().equals("Quire Table")) {
        tables++;
        heads.add((int) table.getRows().stream().filter(XWPFTableRow::isRepeatHeader).count());
      }
      for (XWPFTableRow row : table.getRows()) {
        for (XWPFTableCell cell : row.getTableCells()) {
          for (IBodyElement inner : cell.getBodyElements()) {
            element(document, inner);
          }
        }
      }
    }
  }

  private void presentation(XMLSlideShow show) throws Exception {
    for (XSLFSlide slide : show.getSlides()) {
      sheets++;
      titles.add(slide.getTitle());
      for (XSLFShape shape : slide.getShapes()) {
        tables += shape instanceof XSLFTable ? 1 : 0;
      }
      for (POIXMLDocumentPart part : slide.getRelations()) {
        if (part instanceof XSLFChart) {
          chart(((XSLFChart) part).getWorkbook(), (XSLFChart) part);
        }
      }
    }
  }

  private void formula(Cell cell, FormulaEvaluator evaluator) {
    formulas++;
    CellType kind = cell.getCachedFormulaResultType();
    double said = kind == CellType.NUMERIC ? cell.getNumericCellValue() : Double.NaN;
    CellValue found = evaluator.evaluate(cell);
    if (found.getCellType() != kind || kind == CellType.NUMERIC && !near(said, found.getNumberValue())) {
      wrong.add(place(cell) + ": " + cell.getCellFormula() + " says " + said + " and is " + found.formatAsString());
    }
  }

  private void chart(XSSFWorkbook book, XDDFChart chart) throws Exception {
    for (XDDFChartData data : chart.getChartSeries()) {
      series += data.getSeriesCount();
    }
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    try (InputStream in = chart.getPackagePart().getInputStream()) {
      Document part = factory.newDocumentBuilder().parse(in);
      for (String kind : List.of("numRef", "strRef")) {
        NodeList references = part.getElementsByTagNameNS("*", kind);
        for (int i = 0; i < references.getLength(); i++) {
          points(book, (Element) references.item(i));
        }
      }
    }
  }

  /** Compares what a chart keeps of its cells with the cells. POI gives points by their order alone. */
  private void points(XSSFWorkbook book, Element reference) {
    String formula = reference.getElementsByTagNameNS("*", "f").item(0).getTextContent();
    Map<Integer, String> kept = new HashMap<>();
    NodeList list = reference.getElementsByTagNameNS("*", "pt");
    for (int i = 0; i < list.getLength(); i++) {
      Element point = (Element) list.item(i);
      kept.put(Integer.valueOf(point.getAttribute("idx")), point.getElementsByTagNameNS("*", "v").item(0).getTextContent());
    }
    Element count = (Element) reference.getElementsByTagNameNS("*", "ptCount").item(0);
    CellReference[] cells = new AreaReference(formula, book.getSpreadsheetVersion()).getAllReferencedCells();
    if (cells.length != Integer.parseInt(count.getAttribute("val"))) {
      wrong.add(formula + ": " + count.getAttribute("val") + " points");
      return;
    }
    for (int i = 0; i < cells.length; i++) {
      points++;
      Row row = book.getSheet(cells[i].getSheetName()).getRow(cells[i].getRow());
      Cell cell = row == null ? null : row.getCell(cells[i].getCol());
      String held = "";
      if (cell != null && cell.getCellType() == CellType.NUMERIC) {
        held = String.valueOf(cell.getNumericCellValue());
      } else if (cell != null) {
        held = cell.toString();
      }
      String said = kept.getOrDefault(i, "");
      if (!said.equals(held) && !numbers(said, held)) {
        wrong.add(cells[i].formatAsString() + ": the chart has " + quote(said) + ", the cell " + quote(held));
      }
    }
  }

  private static boolean numbers(String a, String b) {
    try {
      return near(Double.parseDouble(a), Double.parseDouble(b));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean near(double a, double b) {
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
  }

  private static String place(Cell cell) {
    return new CellReference(cell.getSheet().getSheetName(), cell.getRowIndex(), cell.getColumnIndex(), false, false)
        .formatAsString();
  }

  private static String quote(List<String> list) {
    StringBuilder out = new StringBuilder();
    for (String s : list) {
      out.append(out.length() > 0 ? "," : "").append(quote(s == null ? "" : s));
    }
    return "[" + out + "]";
  }

  private static String quote(String s) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
