// The bundle assets/dist/file.js: what an HTML file has inside. It is small: no
// service is there that could be asked for other parameters, and no page of a host
// that could be told of what happens.

import { start } from "./start";

// The fonts inside have the letters of the report, and not all those of the bar.
document.documentElement.style.setProperty("--q-ui", "system-ui");
start(document, {
  host: () => ({ tell() {}, fault: (message) => console.warn(`Quire: ${message}`), listen() {} }),
  parameters: (doc) => ({ el: doc.createElement("aside"), any: false, shown: false, changed() {}, show() {}, focus() {}, values: () => ({}) }),
});
