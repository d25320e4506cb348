// The bundle assets/dist/filewhole.js: what an HTML file has inside that has justified text or footnotes.

import "../paginate/craft";
import "./file";
