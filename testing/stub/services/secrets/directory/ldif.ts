import { serverError } from "../errors";

/** LDIF as stored: base64 input is decoded. */
export function decodeLdif(text: string): string {
  const compact = text.replace(/\s/g, "");
  if (compact === "" || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return text;
  return Buffer.from(compact, "base64").toString("utf8");
}

const LINE = /^([A-Za-z][\w;.-]*|\d+(\.\d+)*(;[\w-]+)*):|^-$|^ /;

/** The distinguished names of LDIF's entries, in order; throws a 500 for invalid LDIF. */
export function distinguishedNames(ldif: string): readonly string[] {
  const entries = ldif
    .replace(/\r\n/g, "\n")
    .replace(/^version:\s*1\s*\n/, "")
    .split(/\n[ \t]*\n/)
    .map((entry) => entry.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")))
    .filter((lines) => lines.length > 0);
  if (entries.length === 0) throw serverError("invalid LDIF: it has no entry");
  return entries.map(([first = "", ...lines]) => {
    const dn = /^dn:\s*(\S.*)$/.exec(first)?.[1];
    if (dn === undefined) throw serverError(`invalid LDIF: an entry must begin with dn, not "${first}"`);
    if (lines.length === 0) throw serverError(`invalid LDIF: the entry "${dn}" has nothing but its dn`);
    const wrong = lines.find((line) => !LINE.test(line));
    if (wrong !== undefined) throw serverError(`invalid LDIF: "${wrong}"`);
    const type =
      lines.map((line) => /^changetype:\s*(\S*)/.exec(line)?.[1]).find((word) => word !== undefined) ?? "add";
    if (!["add", "delete", "modify"].includes(type))
      throw serverError(`invalid LDIF: invalid changetype ${type}`);
    if (type === "modify" && lines.at(-1) !== "-")
      throw serverError("invalid LDIF: a modify must end with -");
    return dn.trim();
  });
}
