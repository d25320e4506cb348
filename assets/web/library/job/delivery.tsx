// The last step: where the documents of each entry go.

import { useState } from "preact/hooks";
import type { Setting } from "../../designer/api";
import type { Desk } from "./desk";
import { Entries } from "./entries";
import { type Delivery, type Destination, withMember } from "./model";
import { At, Connection, FieldAt, Items, Pick } from "./parts";
import { TryDelivery } from "./trial";
import { say, t } from "../../words";

/** Settings of a delivery that are drawn by themselves. */
const DRAWN = ["type", "connection", "settings", "condition"];

/** What people call the values of settings. */
const VALUES: Record<string, string> = { entry: say("For each entry"), run: say("Once for the whole run"), files: say("The documents as they are"), zip: say("One ZIP file"), pdf: say("One PDF file") };

export function Deliveries({ desk }: { desk: Desk }) {
  const list = desk.job.deliveries ?? [];
  const destinations = desk.choices.value?.destinations ?? [];
  const [chosen, choose] = useState("");
  const type = chosen || (destinations[0]?.name ?? "");
  const put = (deliveries: Delivery[]) => desk.set("deliveries", deliveries);
  const labelOf = (d: Delivery) => destinations.find((k) => k.name === d.type)?.label ?? d.type;
  return (
    <section class="j-wide d-form" aria-label={t("Delivery")}>
      <p class="d-hint">{t("Where the documents of each entry go. A condition says for which entries; without a delivery the documents stay with the run.")}</p>
      <Items desk={desk} path="deliveries" items={list} change={put} title={(d, i) => d.name || labelOf(d) || t("Delivery {0}", i + 1)} note={(d) => [d.name ? labelOf(d) : "", d.connection ?? ""].filter(Boolean).join(", ")}>
        {(d, i, replace) => <OneDelivery desk={desk} destinations={destinations} delivery={d} index={i} replace={replace} />}
      </Items>
      <div class="d-buttons">
        <select aria-label={t("Type of delivery")} value={type} onChange={(e) => choose(e.currentTarget.value)}>
          {destinations.map((k) => (
            <option key={k.name} value={k.name}>
              {k.label}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => put([...list, { type }])}>
          {t("Add delivery")}
        </button>
      </div>
      <Entries desk={desk} />
    </section>
  );
}

function OneDelivery({ desk, destinations, delivery, index, replace }: { desk: Desk; destinations: Destination[]; delivery: Delivery; index: number; replace: (d: Delivery) => void }) {
  const at = `deliveries[${index}]`;
  const kind = destinations.find((k) => k.name === delivery.type);
  const set = (name: string, value: unknown) => replace(withMember(delivery, name, value));
  const rest = desk.settings("deliveries").filter((s) => s.name === "condition" || !DRAWN.includes(s.name));
  const others = rest.filter((s) => s.name !== "condition" && (s.name !== "packName" || delivery.pack === "zip" || delivery.pack === "pdf"));
  const field = (s: Setting) =>
    s.enum ? (
      <At key={s.name} desk={desk} path={`${at}.${s.name}`}>
        <Pick id={`f-${at}.${s.name}`} label={s.label ?? s.name} help={s.help} value={String(delivery[s.name] ?? s.default ?? "")} options={s.enum.map((value) => ({ value, label: t(VALUES[value] ?? value) }))} change={(v) => set(s.name, v === s.default ? undefined : v)} />
      </At>
    ) : (
      <FieldAt key={s.name} desk={desk} setting={s} value={delivery[s.name]} change={(v) => set(s.name, v)} path={`${at}.${s.name}`} />
    );
  const turn = (type: string) => {
    const { settings: _, connection: __, ...rest } = delivery;
    replace({ ...rest, type });
  };
  return (
    <>
      <At desk={desk} path={`${at}.type`}>
        <Pick id={`f-${at}.type`} label={t("Type")} help={kind?.help} value={delivery.type} options={destinations.map((k) => ({ value: k.name, label: k.label }))} change={turn} />
      </At>
      {(kind?.connects || delivery.connection) && <Connection desk={desk} path={`${at}.connection`} type={delivery.type} label={t("Connection")} value={delivery.connection ?? ""} change={(v) => set("connection", v)} />}
      {kind?.settings.map((s) => (
        <FieldAt key={`${kind.name} ${s.name}`} desk={desk} setting={s} value={delivery.settings?.[s.name]} change={(v) => set("settings", withMember(delivery.settings, s.name, v))} path={`${at}.settings.${s.name}`} />
      ))}
      {rest.filter((s) => s.name === "condition").map(field)}
      <details class="d-group" open={others.some((s) => delivery[s.name] !== undefined)}>
        <summary>{t("Name and packing")}</summary>
        {others.map(field)}
      </details>
      <TryDelivery key={delivery.type} desk={desk} delivery={delivery} index={index} />
    </>
  );
}
