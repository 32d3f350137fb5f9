#include "host/report/page/page_style.hpp"

namespace optgap {

std::string_view const page_style_sheet = R"(
:root{color-scheme:light dark;--page:#ffffff;--words:#1f2328;--dim:#5d6673;--rule:#e3e7ed;--shade:#f5f7f9}
@media screen and (prefers-color-scheme:dark){
:root{--page:#14171c;--words:#e6e8eb;--dim:#9aa3af;--rule:#2c323b;--shade:#1c2026}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1160px;padding:24px 20px 64px;background:var(--page);color:var(--words);
font:15px/1.5 ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:26px;line-height:1.25;margin:0 0 6px}
h2{font-size:20px;margin:40px 0 4px;padding-top:12px;border-top:1px solid var(--rule)}
h3{font-size:16px;margin:24px 0 2px}h4{font-size:15px;margin:18px 0 2px}
p{margin:4px 0 12px;max-width:85ch}.dim,.notes{color:var(--dim)}.notes{font-size:13px}
code{font:13px ui-monospace,monospace}a{color:inherit}
nav{display:flex;flex-wrap:wrap;gap:2px 14px;margin:8px 0 4px;font-size:14px}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr));gap:8px 18px;margin:12px 0 8px}
dl div{border-left:3px solid var(--rule);padding-left:10px}
dt{color:var(--dim);font-size:13px}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto;margin:8px 0 16px}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:3px 14px 3px 0;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top;
unicode-bidi:isolate;font-weight:400;white-space:nowrap}
.long{white-space:normal;overflow-wrap:anywhere;min-width:16em;max-width:60ch}
thead th{font-weight:600;color:var(--dim);vertical-align:bottom}
.n,.numbers td,.numbers th{text-align:right}.numbers tbody th{text-align:left}thead th{white-space:normal;overflow-wrap:break-word;max-width:16em}
thead button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
[aria-sort=ascending] button::after{content:" ▲"}[aria-sort=descending] button::after{content:" ▼"}
label{font-size:13px;color:var(--dim)}select{font:inherit;margin-left:6px}
.figures{display:flex;flex-wrap:wrap;gap:12px 28px;align-items:flex-start;margin:8px 0}
figure{margin:0;min-width:0;max-width:100%;break-inside:avoid}
.picture{flex:0 1 420px}.picture svg{max-width:100%;height:auto;display:block}
figcaption,details{font-size:12px;color:var(--dim)}figcaption{max-width:420px}
.charts{flex:1 1 340px;min-width:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:16px 24px}
.picture~.charts{grid-template-columns:repeat(auto-fill,minmax(min(100%,270px),1fr))}
.charts svg{width:100%;max-width:540px;height:auto;display:block}
summary{cursor:pointer}details .wide{max-height:280px;overflow:auto;margin:4px 0}
.tip{position:fixed;z-index:1;pointer-events:none;background:var(--words);color:var(--page);font-size:12px;
padding:2px 8px;border-radius:3px;max-width:280px}
@media print{body{max-width:none;padding:0;font-size:11pt}nav,summary,label{display:none}h2,h3,h4{break-after:avoid}
tr{break-inside:avoid}.wide{overflow:visible}}
)";

// Comparisons are written such that the script has no character that XML would escape.
std::string_view const page_script = R"("use strict";
const make = (tag, text) => { const made = document.createElement(tag); made.textContent = text; return made; };
const words = (row, column) => row.cells[column].textContent;
const value = text => { const n = parseFloat(text.replace(/[\s,]/g, "")); return Number.isNaN(n) ? null : n; };
const compare = (a, b) => {
  const [x, y] = [value(a), value(b)];
  return x === null || y === null ? (y === null) - (x === null) : x - y;
};
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells], rows = [...body.rows];
  heads.forEach((head, column) => {
    const button = make("button", head.textContent), numbers = head.className === "n";
    button.type = "button";
    button.title = (head.title ? head.title + " " : "") + "Click to sort.";
    head.replaceChildren(button);
    button.onclick = () => {
      const up = head.ariaSort === (numbers ? "descending" : "ascending") ? numbers : !numbers;
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = up ? "ascending" : "descending";
      const empty = row => numbers ? value(words(row, column)) === null : words(row, column) === "–";
      const order = (a, b) => numbers ? compare(words(a, column), words(b, column))
        : words(a, column).localeCompare(words(b, column), "en", { numeric: true });
      body.append(...[...rows].sort((a, b) => empty(a) - empty(b) || (up ? order(a, b) : order(b, a))));
    };
  });
  if (table.dataset.filter) {
    const column = Number(table.dataset.filter), label = make("label", words({ cells: heads }, column));
    const select = make("select", "");
    select.append(...["all", ...new Set(rows.map(row => words(row, column)))].map(text => make("option", text)));
    select.onchange = () => {
      for (const row of rows) row.hidden = select.selectedIndex ? words(row, column) !== select.value : false;
    };
    label.append(select);
    table.parentNode.before(label);
  }
}
const tip = make("div", "");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const title of document.querySelectorAll("svg.chart * > title")) {
  const mark = title.parentNode, text = title.textContent;
  mark.setAttribute("aria-label", text);
  title.remove();
  mark.onpointerleave = () => { tip.hidden = true; };
  mark.onpointermove = at => {
    tip.textContent = text;
    tip.hidden = false;
    tip.style.left = Math.max(0, Math.min(at.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(0, at.clientY - tip.offsetHeight - 8) + "px";
  };
}
)";

std::string_view const page_policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-kwiTCDb38IQ0Zlpr6D6O1ZqeMblkALKwTrzjRIgfbkE='";

}  // namespace optgap
