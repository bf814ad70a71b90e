/** The widest line of a picture, in characters. Longer lines are wrapped. */
const COLUMNS = 88;
const CHARACTER = 7.83;
const LINE = 19;
const MARGIN = 16;
const BAR = 30;

const STYLE = `
  .window { fill: #ffffff; stroke: #d0d7de; } .bar { fill: #f6f8fa; } text { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
  .title { fill: #59636e; } .bad { fill: #cf222e; } .good { fill: #1a7f37; } .warn { fill: #9a6700; } .dim { fill: #59636e; }
  @media (prefers-color-scheme: dark) {
    .window { fill: #0d1117; stroke: #30363d; } .bar { fill: #161b22; } text { fill: #e6edf3; }
    .title, .dim { fill: #9198a1; } .bad { fill: #ff7b72; } .good { fill: #3fb950; } .warn { fill: #d29922; }
  }`;

/** The color of a line, by its beginning. */
const COLORS: readonly (readonly [RegExp, string])[] = [
  [/^(conflict|error|drifted|missing|FAIL)\b/, "bad"],
  [/^(OK|in sync)\b/, "good"],
  [/^(WARN)\b/, "warn"],
  [/^(SKIP| {2}field\b| {2}planned\b)/, "dim"],
];

/** A picture of a terminal as SVG, for light and dark pages, from a text block of a page. */
export function pictureOf(title: string, text: string): string {
  const lines = text.trimEnd().split("\n").flatMap(wrapped);
  const width = Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN;
  const height = BAR + lines.length * LINE + 2 * MARGIN - 6;
  const rows = lines.map(({ line, color }, index) => {
    const y = BAR + MARGIN + 8 + index * LINE;
    return `  <text x="${MARGIN}" y="${y}"${color === "" ? "" : ` class="${color}"`}>${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}\n  </style>`,
    `  <rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `  <rect class="bar" x="1" y="1" width="${width - 2}" height="${BAR - 1}" rx="8"/>`,
    `  <text class="title" x="${MARGIN}" y="20">${escaped(title)}</text>`,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

interface Row {
  readonly line: string;
  readonly color: string;
}

/** The rows of a line. Continuation rows are indented by four characters more than the line. */
function wrapped(line: string): readonly Row[] {
  const color = COLORS.find(([pattern]) => pattern.test(line))?.[1] ?? "";
  const indent = " ".repeat(line.length - line.trimStart().length + 4);
  const rows: Row[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const space = rest.lastIndexOf(" ", COLUMNS);
    const end = space > indent.length ? space : COLUMNS;
    rows.push({ line: rest.slice(0, end), color });
    rest = indent + rest.slice(end).trimStart();
  }
  return [...rows, { line: rest, color }];
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The first text block of a page, which a test compares with today's output. */
function firstText(page: string): string {
  const block = /^```text\n([\s\S]*?)^```$/m.exec(page)?.[1];
  if (block === undefined) throw new Error("the page has no text block");
  return block;
}

/** The pages that have a picture, by name. */
export type PicturedPages = Readonly<Record<"conflicts" | "doctor" | "drift", string>>;

/** The pictures of the pages, by their path in the repository. */
export function pictures(pages: PicturedPages): readonly (readonly [string, string])[] {
  return [
    ["docs/pictures/conflict.svg", pictureOf("pulumi up", firstText(pages.conflicts))],
    ["docs/pictures/doctor.svg", pictureOf("npx quarterdeck doctor", firstText(pages.doctor))],
    ["docs/pictures/drift.svg", pictureOf("npx quarterdeck drift", firstText(pages.drift))],
  ];
}
