// Imported by what sets any document; file.js, which is to be small, goes without.

import { fitFormulas } from "./formulas";
import { justify } from "./justify";
import { takeNotes } from "./notes";
import { craft } from "./paginate";
import { hideRows, measureRows, showRows } from "./slabs";

Object.assign(craft, { fitFormulas, justify, takeNotes, hideRows, measureRows, showRows });
