"""Works on Office files in a LibreOffice that listens at a pipe, as people do.

    edit.py PIPE FILE...

For each file it prints a line of JSON: what the file showed before and after it was
changed. It ends LibreOffice when it is done.
"""

import json
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.sheet import TableFilterField
from com.sun.star.table import CellAddress, TableSortField


def connect(pipe):
    here = uno.getComponentContext()
    resolver = here.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", here)
    for _ in range(600):
        try:
            there = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return there.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", there)
        except NoConnectException:
            time.sleep(0.1)
    raise SystemExit("LibreOffice does not listen")


def each(access):
    """The members of a collection, or of what is enumerated."""
    if hasattr(access, "getCount"):
        return [access.getByIndex(i) for i in range(access.getCount())]
    found, members = [], access.createEnumeration()
    while members.hasMoreElements():
        found.append(members.nextElement())
    return found


def is_a(what, service):
    return what.supportsService("com.sun.star." + service)


# Charts


def series(chart):
    """The values of all series of a chart."""
    return [
        list(sequence.Values.Data)
        for system in chart.getFirstDiagram().CoordinateSystems
        for kind in system.ChartTypes
        for one in kind.DataSeries
        for sequence in one.DataSequences
        if sequence.Values.Role in ("values-y", "values")
    ]


def running(embedded):
    embedded.changeState(1)  # com.sun.star.embed.EmbedStates.RUNNING
    return embedded.Component


def charts_in(doc):
    if is_a(doc, "text.TextDocument"):
        found = [running(e.ExtendedControlOverEmbeddedObject) for e in each(doc.EmbeddedObjects)]
    else:
        found = [s.Model for page in each(doc.DrawPages) for s in each(page) if s.ShapeType.endswith(".OLE2Shape") or s.ShapeType.endswith(".ChartShape")]
    return [f for f in found if f and is_a(f, "chart2.ChartDocument")]


def edit_charts(doc):
    """Writes a value into the data of each chart."""
    changed = []
    for chart in charts_in(doc):
        data, before = chart.getData(), series(chart)
        rows = [list(r) for r in data.getData()]
        rows[0][0] = 4321.0
        data.setData(tuple(tuple(r) for r in rows))
        changed.append({"Before": before, "After": series(chart)})
    return changed


# Workbooks


def cells_of(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    return [sheet.getCellByPosition(c, r) for r in range(end.EndRow + 1) for c in range(end.EndColumn + 1)]


def totals(sheet):
    return {c.AbsoluteName: c.Value for c in cells_of(sheet) if c.Formula.startswith("=SUBTOTAL")}


def column_of(data, title):
    head = data.DataArray[0]
    return head.index(title)


def edit_workbook(doc):
    ranges = [r.ReferredCells for r in each(doc.DatabaseRanges)]
    found = {"Tables": len(ranges)}
    if not ranges:
        return found
    data = ranges[0]
    sheet = data.Spreadsheet
    found["Totals"] = totals(sheet)
    # filter
    field = TableFilterField()
    field.Field, field.IsNumeric, field.StringValue = column_of(data, "Region"), False, "North"
    field.Operator = uno.Enum("com.sun.star.sheet.FilterOperator", "EQUAL")
    wanted = data.createFilterDescriptor(True)
    wanted.setFilterFields((field,))
    wanted.ContainsHeader = True
    data.filter(wanted)
    doc.calculateAll()
    found["Filtered"] = totals(sheet)
    data.filter(data.createFilterDescriptor(True))
    doc.calculateAll()
    found["Unfiltered"] = totals(sheet)
    # sort
    by = TableSortField()
    by.Field, by.IsAscending = column_of(data, "Amount"), False
    order = PropertyValue("SortFields", 0, uno.Any("[]com.sun.star.table.TableSortField", (by,)), uno.Enum("com.sun.star.beans.PropertyState", "DIRECT_VALUE"))
    head = PropertyValue("ContainsHeader", 0, True, uno.Enum("com.sun.star.beans.PropertyState", "DIRECT_VALUE"))
    data.sort((order, head))
    doc.calculateAll()
    found["Sorted"] = [list(r) for r in data.DataArray[1:]]
    found["SortedTotals"] = totals(sheet)
    # pivot
    doc.Sheets.insertNewByName("Pivot", doc.Sheets.Count)
    there = doc.Sheets.getByName("Pivot")
    pivots = there.DataPilotTables
    pivot = pivots.createDataPilotDescriptor()
    pivot.setSourceRange(data.RangeAddress)
    for name, role in (("Region", "ROW"), ("Amount", "DATA")):
        f = pivot.DataPilotFields.getByName(name)
        f.Orientation = uno.Enum("com.sun.star.sheet.DataPilotFieldOrientation", role)
        if role == "DATA":
            f.Function = uno.Enum("com.sun.star.sheet.GeneralFunction", "SUM")
    place = CellAddress()
    place.Sheet, place.Column, place.Row = there.RangeAddress.Sheet, 0, 0
    pivots.insertNewByName("Sums", place, pivot)
    shown = pivots.getByName("Sums").OutputRange
    found["Pivot"] = [list(r) for r in there.getCellRangeByPosition(shown.StartColumn, shown.StartRow, shown.EndColumn, shown.EndRow).DataArray]
    # a chart, by the cells that it shows
    found["Charts"] = []
    for s in each(doc.Sheets):
        for chart in each(s.Charts):
            model = chart.EmbeddedObject
            before = series(model)
            place = next(
                sequence.Values.SourceRangeRepresentation
                for system in model.getFirstDiagram().CoordinateSystems
                for kind in system.ChartTypes
                for one in kind.DataSeries
                for sequence in one.DataSequences
                if sequence.Values.Role == "values-y"
            )
            name, cells = place.replace("$", "").rsplit(".", 1)
            doc.Sheets.getByName(name.strip("'")).getCellRangeByName(cells.split(":")[0]).Value = 4321.0
            found["Charts"].append({"Before": before, "After": series(model)})
    return found


# Documents


def contents(doc):
    return [i.Anchor.getString() for i in each(doc.DocumentIndexes)]


def edit_document(doc):
    found = {"Contents": contents(doc)}
    for index in each(doc.DocumentIndexes):
        index.update()
    found["Updated"] = contents(doc)
    text = doc.Text
    end = text.createTextCursorByRange(text.End)
    text.insertControlCharacter(end, 0, False)  # PARAGRAPH_BREAK
    end.ParaStyleName = "Heading 1"
    text.insertString(end, "Written later", False)
    for index in each(doc.DocumentIndexes):
        index.update()
    found["Entered"] = contents(doc)
    found["Charts"] = edit_charts(doc)
    return found


def edit(doc):
    if is_a(doc, "sheet.SpreadsheetDocument"):
        return edit_workbook(doc)
    if is_a(doc, "text.TextDocument"):
        return edit_document(doc)
    return {"Charts": edit_charts(doc)}


def main():
    desktop = connect(sys.argv[1])
    hidden = PropertyValue("Hidden", 0, True, uno.Enum("com.sun.star.beans.PropertyState", "DIRECT_VALUE"))
    try:
        for file in sys.argv[2:]:
            doc = desktop.loadComponentFromURL(uno.systemPathToFileUrl(file), "_blank", 0, (hidden,))
            print(json.dumps({"File": file, **edit(doc)}), flush=True)
            doc.close(True)
    finally:
        desktop.terminate()


main()
