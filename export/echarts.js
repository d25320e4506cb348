(function (option) {
  if (option === null || typeof option !== "object" || Array.isArray(option)) {
    throw new TypeError("the function must return the option object of an ECharts chart, not " + (option === null ? "null" : Array.isArray(option) ? "a list" : typeof option));
  }
  // Advance widths of Inter in hundredths of the font size, from the blank on.
  const widths = [28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57, 62, 62, 29, 30, 66, 66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76, 64, 76, 64, 64, 65, 74, 69, 99, 68, 68, 63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61, 59, 24, 24, 55, 24, 88, 59, 60, 61, 61, 38, 53, 33, 59, 56, 82, 55, 56, 55, 43, 33, 43, 66];
  const measure = (text, font) => {
    const size = /([\d.]+)px/.exec(font || "");
    const bold = /\b(bold|[6-9]00)\b/.test(font || "");
    let sum = 0;
    for (const c of String(text)) {
      const at = c.codePointAt(0) - 32;
      sum += at < widths.length ? widths[at] || 0 : c.codePointAt(0) > 0x2e7f ? 100 : 62;
    }
    return (sum / 100) * (size ? Number(size[1]) : 12) * (bold ? 1.06 : 1);
  };
  // Colours of the theme stand in the option as var(--name).
  const resolve = (v, depth) => {
    if (typeof v === "string") return v.replace(/var\(--([\w-]+)\)/g, (whole, name) => $chart.colors[name] || whole);
    if (depth > 12 || v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) {
      if (typeof v[0] !== "number") for (let i = 0; i < v.length; i++) v[i] = resolve(v[i], depth + 1);
      return v;
    }
    if (Object.getPrototypeOf(v) === Object.prototype) for (const key of Object.keys(v)) v[key] = resolve(v[key], depth + 1);
    return v;
  };
  echarts.setPlatformAPI({ measureText: (text, font) => ({ width: measure(text, font) }) });
  const chart = echarts.init(null, $chart.theme, { renderer: "svg", ssr: true, width: $chart.width, height: $chart.height });
  const safe = resolve(option, 0);
  safe.animation = false;
  // Points of a long line would hide it.
  for (const s of [].concat(safe.series || [])) {
    const long = s && s.type === "line" && Array.isArray(s.data) && s.data.length > 40;
    if (long && s.showSymbol === undefined && !(s.label && s.label.show)) s.showSymbol = false;
  }
  chart.setOption(safe);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
})
