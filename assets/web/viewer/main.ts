// The bundle assets/dist/preview.js: the paginator and what people need around
// the pages in a browser, alone or in a frame of another site.

import "../paginate/craft";
import { Host } from "./host";
import { moreFiles } from "./more";
import { Parameters } from "./parameters";
import { Pins } from "./pins";
import { start } from "./start";

start(document, {
  host: (view, hosts) => new Host(view, hosts),
  parameters: (...of) => new Parameters(...of),
  files: moreFiles,
  pins: (...of) => new Pins(...of),
});
