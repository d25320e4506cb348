// Everything that can be done by name: the keyboard, the context menu, the
// command list and the list of shortcuts are all made of these.

import { aids, toggleAid } from "./aids";
import { align, ALIGNINGS, canAlign } from "./alignview";
import { pasteElements } from "./clipboard";
import { columnIn, hasColumns, renameColumn, shiftColumn, walkColumns } from "./columnkeys";
import { add, addPage, allMarked, canBeAbreast, copyLook, duplicate, duplicatePage, go, hasLook, mark, pasteLook, putAbreast, removePage, removeSelected, selectAll, shiftSelected, showAll, unwrap, wrap } from "./edit";
import { openFind } from "./findbar";
import { editFrame, leaveFrame } from "./framing";
import { addGuide, clearGuides, hasGuides } from "./guidesview";
import { startWriting } from "./inline";
import { goToPart } from "./parts";
import { sides, toggleSide, toggleSides } from "./sides";
import type { State } from "./state";
import { allInsertables } from "./insertables";
import { having } from "./locks";
import { writeAbout } from "./talk";
import { canSwitch, mainText, switchLook } from "./textlook";
import { fitPage, zoomBy, zoomToSelection } from "./zoom";
import { named, say, t } from "../words";

export interface Command {
  name: string;
  /** Such as "Ctrl+D"; several are parted by a blank. */
  keys?: string;
  group: "Edit" | "Select" | "Page" | "View" | "Report" | "Add";
  run(state: State): void;
  /** Whether it can be done now; always when absent. */
  can?(state: State): boolean;
  /** Whether its keys work inside of fields, too. */
  everywhere?: boolean;
  /** Whether the context menu of elements has it. */
  menu?: boolean;
  /** Of what is switched on and off, whether it is on. */
  on?(state: State): boolean;
}

const some = (state: State): boolean => state.selected.value.length > 0;
const isReport = (state: State): boolean => !state.layouts.value;
const inColumn = (state: State): boolean => hasColumns(state) && columnIn(state) >= 0;
const one = (state: State): boolean => state.node.value !== null;

export const commands: Command[] = [
  { name: say("Undo"), keys: "Ctrl+Z", group: "Edit", run: (s) => s.undo(), can: (s) => s.undoLabel !== undefined, everywhere: true },
  { name: say("Redo"), keys: "Ctrl+Y Ctrl+Shift+Z", group: "Edit", run: (s) => s.redo(), can: (s) => s.redoLabel !== undefined, everywhere: true },
  { name: say("Rename the column"), keys: "F2 Enter", group: "Edit", run: renameColumn, can: inColumn },
  { name: say("Edit text"), keys: "F2 Enter", group: "Edit", run: (s) => void (startWriting(s) || go(s, "child")), can: (s) => one(s) && (mainText(s, s.node.value!.type) !== undefined || s.isContainer(s.node.value!.type)), menu: true },
  { name: say("Add a component here"), keys: "/", group: "Edit", run: (s) => void (s.slash.value = true) },
  { name: say("Bold"), keys: "Ctrl+B", group: "Edit", run: (s) => switchLook(s, "bold"), can: (s) => canSwitch(s, "bold") },
  { name: say("Italic"), keys: "Ctrl+I", group: "Edit", run: (s) => switchLook(s, "italic"), can: (s) => canSwitch(s, "italic") },
  { name: say("Underline"), keys: "Ctrl+U", group: "Edit", run: (s) => switchLook(s, "underlined"), can: (s) => canSwitch(s, "underlined") },
  { name: say("Cut"), keys: "Ctrl+X", group: "Edit", run: () => void document.execCommand("cut"), can: some, menu: true },
  { name: say("Copy"), keys: "Ctrl+C", group: "Edit", run: () => void document.execCommand("copy"), can: some, menu: true },
  { name: say("Paste"), keys: "Ctrl+V", group: "Edit", run: (s) => void pasteElements(s), menu: true },
  { name: say("Copy the look"), keys: "Ctrl+Alt+C", group: "Edit", run: copyLook, can: one, menu: true },
  { name: say("Paste the look"), keys: "Ctrl+Alt+V", group: "Edit", run: pasteLook, can: (s) => some(s) && hasLook(), menu: true },
  { name: say("Duplicate"), keys: "Ctrl+D", group: "Edit", run: duplicate, can: some, menu: true },
  { name: say("Delete"), keys: "Delete Backspace", group: "Edit", run: removeSelected, can: some, menu: true },
  { name: say("Move up"), keys: "Alt+ArrowUp ArrowUp", group: "Edit", run: (s) => shiftSelected(s, -1), can: one, menu: true },
  { name: say("Move down"), keys: "Alt+ArrowDown ArrowDown", group: "Edit", run: (s) => shiftSelected(s, 1), can: one, menu: true },
  { name: say("Move the column to the right"), keys: "Alt+ArrowRight", group: "Edit", run: (s) => shiftColumn(s, 1), can: inColumn },
  { name: say("Move the column to the left"), keys: "Alt+ArrowLeft", group: "Edit", run: (s) => shiftColumn(s, -1), can: inColumn },
  { name: say("Lock"), keys: "Ctrl+Shift+L", group: "Edit", run: (s) => mark(s, s.selected.value, "locked", true), can: (s) => some(s) && !allMarked(s, "locked"), menu: true },
  { name: say("Unlock"), keys: "Ctrl+Shift+L", group: "Edit", run: (s) => mark(s, s.selected.value, "locked", false), can: (s) => allMarked(s, "locked"), menu: true },
  { name: say("Hide while designing"), keys: "Ctrl+Shift+H", group: "Edit", run: (s) => mark(s, s.selected.value, "hidden", true), can: (s) => some(s) && !allMarked(s, "hidden"), menu: true },
  { name: say("Show while designing"), keys: "Ctrl+Shift+H", group: "Edit", run: (s) => mark(s, s.selected.value, "hidden", false), can: (s) => allMarked(s, "hidden"), menu: true },
  { name: say("Show all that is hidden while designing"), group: "View", run: showAll, can: (s) => having(s.report.value, "hidden").length > 0 },
  { name: say("Find and replace"), keys: "Ctrl+F", group: "Edit", run: openFind, everywhere: true },
  { name: say("Put into a container"), keys: "Ctrl+G", group: "Edit", run: wrap, can: some, menu: true },
  { name: say("Take out of the container"), keys: "Ctrl+Shift+G", group: "Edit", run: unwrap, can: (s) => (s.node.value?.children?.length ?? 0) > 0, menu: true },
  { name: say("Put side by side"), group: "Edit", run: putAbreast, can: canBeAbreast, menu: true },
  ...ALIGNINGS.map((a): Command => ({ name: a.name, keys: a.keys, group: "Edit", run: (s) => align(s, a), can: (s) => canAlign(s, a) })),
  { name: say("Comment"), keys: "Ctrl+Alt+M", group: "Edit", run: writeAbout, can: (s) => s.comments !== null, menu: true },
  { name: say("Where does this come from?"), group: "Edit", run: (s) => void (s.dialog.value = "origins"), can: (s) => s.origins.value.length > 0, menu: true },
  { name: say("Choose the column to the right"), keys: "ArrowRight Enter", group: "Select", run: (s) => walkColumns(s, 1), can: hasColumns },
  { name: say("Choose the column to the left"), keys: "ArrowLeft", group: "Select", run: (s) => walkColumns(s, -1), can: hasColumns },
  { name: say("Back to the table"), keys: "Escape", group: "Select", run: (s) => void (s.column.value = null), can: inColumn },
  { name: say("Select what is around"), keys: "Escape Shift+Enter Ctrl+ArrowLeft", group: "Select", run: (s) => go(s, "parent"), can: some, menu: true },
  { name: say("Select what is inside"), keys: "Ctrl+ArrowRight", group: "Select", run: (s) => go(s, "child") },
  { name: say("Select the next"), keys: "Ctrl+ArrowDown", group: "Select", run: (s) => go(s, "next") },
  { name: say("Select the one before"), keys: "Ctrl+ArrowUp", group: "Select", run: (s) => go(s, "previous") },
  { name: say("Select all beside, then all of the page"), keys: "Ctrl+A", group: "Select", run: selectAll },
  { name: say("Back to the content"), keys: "Escape", group: "Page", run: leaveFrame, can: (s) => s.framed.value && !some(s) },
  { name: say("Edit the header"), group: "Page", run: (s) => editFrame(s, "header"), can: isReport },
  { name: say("Edit the footer"), group: "Page", run: (s) => editFrame(s, "footer"), can: isReport },
  { name: say("Paper and margins"), group: "Page", run: (s) => editFrame(s, "header"), can: isReport },
  { name: say("Add page"), group: "Page", run: addPage },
  { name: say("Duplicate page"), group: "Page", run: duplicatePage },
  { name: say("Delete page"), group: "Page", run: removePage, can: (s) => s.report.value.pages.length > 1 },
  { name: say("Zoom in"), keys: "Ctrl++ Ctrl+=", group: "View", run: (s) => zoomBy(s, 1) },
  { name: say("Zoom out"), keys: "Ctrl+-", group: "View", run: (s) => zoomBy(s, -1) },
  { name: say("Fit the width"), keys: "Ctrl+0", group: "View", run: (s) => void (s.zoom.value = 0) },
  { name: say("Fit page"), keys: "Shift+1", group: "View", run: fitPage },
  { name: say("Zoom to selection"), keys: "Shift+2", group: "View", run: zoomToSelection, can: some },
  { name: say("Rulers"), keys: "Shift+R", group: "View", run: () => toggleAid("rulers"), on: () => aids.value.rulers },
  { name: say("Guides"), keys: "Shift+G", group: "View", run: () => toggleAid("guides"), on: () => aids.value.guides },
  { name: say("Add a vertical guide"), group: "View", run: (s) => addGuide(s, "x") },
  { name: say("Add a horizontal guide"), group: "View", run: (s) => addGuide(s, "y") },
  { name: say("Clear the guides"), group: "View", run: clearGuides, can: hasGuides },
  { name: say("Go to the next part of the window"), keys: "F6", group: "View", run: () => goToPart(1), everywhere: true },
  { name: say("Go to the part of the window before"), keys: "Shift+F6", group: "View", run: () => goToPart(-1), everywhere: true },
  { name: say("Show or hide both panels"), keys: "Ctrl+\\", group: "View", run: toggleSides, everywhere: true },
  { name: say("Show or hide the panel at the left"), group: "View", run: () => toggleSide("left"), on: () => !sides.value.left.hidden },
  { name: say("Show or hide the panel at the right"), group: "View", run: () => toggleSide("right"), on: () => !sides.value.right.hidden },
  { name: say("Save"), keys: "Ctrl+S", group: "Report", run: (s) => void s.save(), everywhere: true },
  { name: say("Preview"), keys: "Ctrl+P", group: "Report", run: (s) => void window.open(`${s.addresses.preview}/preview`, "_blank", "noopener"), can: (s) => s.addresses.preview !== "", everywhere: true },
  { name: say("Share"), group: "Report", run: (s) => void (s.dialog.value = "share"), can: (s) => s.api.sharing !== undefined },
  { name: say("All commands"), keys: "Ctrl+K", group: "Report", run: (s) => void (s.dialog.value = "commands"), everywhere: true },
  { name: say("Keyboard shortcuts"), keys: "?", group: "Report", run: (s) => void (s.dialog.value = "shortcuts") },
  { name: say("Take the tour"), group: "Report", run: (s) => void (s.dialog.value = "tour") },
];

/** What can be done now, the components to add among it. */
export function possible(state: State): Command[] {
  const adding = allInsertables(state).map((c): Command => ({ name: t("Add {0}", named(c.label)), group: "Add", run: (s) => add(s, [c.make()], t("Add {0}", named(c.label))) }));
  return [...commands, ...adding].filter((c) => c.can?.(state) ?? true);
}

/** The command that a key stands for: of several the one that can be done now. Digits are known by their key, as Shift makes a sign of each. */
export function commandOf(e: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">, state: State): Command | undefined {
  const [, digit] = /^Digit(\d)$/.exec(e.shiftKey ? e.code : "") ?? [];
  const held = [e.ctrlKey || e.metaKey ? "Ctrl" : "", e.altKey ? "Alt" : ""];
  const pressed = [...held, e.shiftKey && (e.key.length > 1 || /[a-z]/i.test(e.key)) ? "Shift" : "", e.key.length === 1 ? e.key.toUpperCase() : e.key];
  const byName = (parts: string[]): Command | undefined => {
    const name = parts.filter((p) => p !== "").join("+");
    return commands.find((c) => c.keys?.split(" ").includes(name) && (c.can?.(state) ?? true));
  };
  return byName(pressed) ?? (digit ? byName([...held, "Shift", digit]) : undefined);
}
