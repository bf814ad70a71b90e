const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
  "${": "$${",
  "%{": "%%{",
};

/** A quoted text of HCL without templates, as Terraform writes it in addresses. */
export function hclText(text: string): string {
  // Everything that Go does not print, such as a control character or a no-break space.
  const quoted = text.replace(/["\\]|[$%]\{|(?! )[\p{C}\p{Z}]/gu, (part) => {
    const code = part.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return ESCAPES[part] ?? (code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`);
  });
  return `"${quoted}"`;
}

/** The text that HCL reads from a quoted text without templates. */
export function textInHcl(quoted: string): string {
  const plain: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  return quoted
    .slice(1, -1)
    .replace(/\\u(.{4})|\\U(.{8})|\\(.)|\$(\$\{)|%(%\{)/gsu, (_, short, long, escaped, ...introducers) => {
      const hex: string | undefined = short ?? long;
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return escaped === undefined ? (introducers[0] ?? introducers[1]) : (plain[escaped] ?? escaped);
    });
}
