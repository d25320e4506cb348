// PNG with a palette of at most 256 colours. Screens have few colours but for the
// edges of letters, so that nothing is seen of what is left out: a third of the bytes.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const most = 256;

/** The same picture in fewer bytes. */
export function shrink(png) {
  const picture = decode(png);
  return encode(picture, nearest(picture.pixels));
}

/** The pixels of a PNG as 0xRRGGBB, row by row: eight bits a channel, not interlaced, and opaque, as browsers and poppler write it. */
export function decode(png) {
  const parts = {};
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    (parts[png.toString("latin1", at + 4, at + 8)] ??= []).push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [head] = parts.IHDR;
  const [width, height, depth, kind, interlaced] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9], head[12]];
  const channels = { 2: 3, 3: 1, 6: 4 }[kind];
  if (depth !== 8 || !channels || interlaced) throw new Error(`a PNG of kind ${kind} with ${depth} bits, interlaced ${interlaced}; want 8 bits of RGB, RGBA or a palette`);
  const bytes = unfilter(inflateSync(Buffer.concat(parts.IDAT)), width * channels, height, channels);
  const colours = kind === 3 ? parts.PLTE[0] : bytes;
  const pixels = Uint32Array.from({ length: width * height }, (_, i) => colours.readUIntBE(kind === 3 ? bytes[i] * 3 : i * channels, 3));
  return { width, height, pixels };
}

/** Rows whose bytes are told by those at their left and above, as these bytes: the filters of PNG. */
function unfilter(filtered, stride, rows, channels) {
  const bytes = Buffer.alloc(stride * rows);
  for (let y = 0; y < rows; y++) {
    const kind = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : bytes[at - channels];
      const up = y === 0 ? 0 : bytes[at - stride];
      const corner = y === 0 || x < channels ? 0 : bytes[at - stride - channels];
      bytes[at] = filtered[at + y + 1] + [0, left, up, (left + up) >> 1, kind === 4 ? paeth(left, up, corner) : 0][kind];
    }
  }
  return bytes;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const channel = (colour, shift) => (colour >> shift) & 255;

/** For each colour the one that stands for it: itself, where there are not too many. */
function nearest(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const boxes = [boxOf([...counts])];
  while (boxes.length < most) {
    const widest = boxes.reduce((a, b) => (b.error > a.error ? b : a));
    if (widest.error === 0) break;
    const lower = widest.colours.filter(([colour]) => channel(colour, widest.shift) <= widest.mean);
    const upper = widest.colours.filter(([colour]) => channel(colour, widest.shift) > widest.mean);
    boxes.splice(boxes.indexOf(widest), 1, boxOf(lower), boxOf(upper));
  }
  const standing = new Map();
  for (const { colours } of boxes) {
    // The most frequent one, not their mean: areas keep their colour.
    const [chief] = colours.reduce((a, b) => (b[1] > a[1] ? b : a));
    for (const [colour] of colours) standing.set(colour, chief);
  }
  return standing;
}

/** Colours with the channel in which they differ most from their mean. */
function boxOf(colours) {
  const all = colours.reduce((sum, [, count]) => sum + count, 0);
  const spread = [16, 8, 0].map((shift) => {
    const mean = colours.reduce((sum, [colour, count]) => sum + channel(colour, shift) * count, 0) / all;
    const error = colours.length === 1 ? 0 : colours.reduce((sum, [colour, count]) => sum + (channel(colour, shift) - mean) ** 2 * count, 0);
    return { shift, mean, error };
  });
  return { colours, ...spread.reduce((a, b) => (b.error > a.error ? b : a)) };
}

function encode({ width, height, pixels }, standing) {
  const palette = [...new Set(standing.values())].sort((a, b) => a - b);
  const index = new Map(palette.map((colour, i) => [colour, i]));
  const rows = Buffer.alloc((width + 1) * height); // each begins with a 0: no filter
  pixels.forEach((colour, i) => (rows[i + Math.floor(i / width) + 1] = index.get(standing.get(colour))));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, i) => colours.writeUIntBE(colour, i * 3, 3));
  return Buffer.concat([signature, part("IHDR", head), part("PLTE", colours), part("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })), part("IEND", Buffer.alloc(0))]);
}

function part(type, body) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
