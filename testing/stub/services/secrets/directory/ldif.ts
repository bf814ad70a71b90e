import { failed } from "../errors";

/** LDIF text as it is stored: base64 of it is decoded. */
export function decodeLdif(text: string): string {
  const compact = text.replace(/\s/g, "");
  if (compact === "" || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return text;
  return Buffer.from(compact, "base64").toString("utf8");
}

/** The distinguished names of LDIF's entries, in order; 500 for what is no LDIF. */
export function distinguishedNames(ldif: string): readonly string[] {
  const entries = ldif
    .replace(/\r\n/g, "\n")
    .split(/\n[ \t]*\n/)
    .map((entry) => entry.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")))
    .filter((lines) => lines.length > 0);
  if (entries.length === 0) throw failed("invalid LDIF: it has no entry");
  return entries.map(([first = "", ...lines]) => {
    const dn = /^dn:\s*(\S.*)$/.exec(first)?.[1];
    if (dn === undefined) throw failed(`invalid LDIF: an entry must begin with dn, not "${first}"`);
    const wrong = lines.find((line) => !/^([A-Za-z][\w;.-]*:|-$| )/.test(line));
    if (wrong !== undefined) throw failed(`invalid LDIF: "${wrong}"`);
    return dn.trim();
  });
}
