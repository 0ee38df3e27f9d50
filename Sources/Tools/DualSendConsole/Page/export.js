// What is in view as a file, and as a link.
import { complain, notice } from "./dialog.js";
import { h } from "./dom.js";

/** Buttons that save `rows()`, objects with the same keys, as CSV or JSON. */
export function exportButtons(name, rows) {
  const save = (type, text) => {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: `${name}.${type.split("/")[1]}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const button = (label, run) => h("button", { type: "button", class: "small", "aria-label": `Save what is in view as ${label}`, onclick: run }, label);
  return [
    button("CSV", () => save("text/csv", csv(rows()))),
    button("JSON", () => save("application/json", `${JSON.stringify(rows(), null, 1)}\n`)),
  ];
}

/** RFC 4180. What a spreadsheet would run as a formula, also behind a `;`, gets an apostrophe in front. */
function csv(rows) {
  const keys = Object.keys(rows[0] ?? {});
  const cell = (value) => {
    const text = typeof value === "string" ? value.replace(/(^|;)(?='*[=+\-@\t\r])/g, "$1'") : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [keys, ...rows.map((row) => keys.map((key) => row[key]))].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** Copies a link to this view by which one can only read. */
export async function copyLink(reading) {
  const path = location.pathname.split("/");
  path[1] = reading ?? path[1];
  try {
    await navigator.clipboard.writeText(location.origin + path.join("/") + location.hash);
    notice("A link to this view was copied. It can read, and not publish.", "good");
  } catch (error) {
    complain(error);
  }
}
