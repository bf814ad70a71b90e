import { caseFolded, type Spelling, textIn } from "../../core";

/** A list of names. Vault and OpenBao remove the blanks around each. */
export const trimmed: Spelling = {
  doc: "",
  canonical: (value) => (Array.isArray(value) ? value.map((name) => textIn(name)?.trim() ?? name) : value),
};

/** A list of names, which Vault and OpenBao also store in lower case and without empty ones. */
export const trimmedAndFolded: Spelling = {
  doc: caseFolded.doc,
  canonical(value) {
    const names = caseFolded.canonical(trimmed.canonical(value));
    return Array.isArray(names) ? names.filter((name) => name !== "") : names;
  },
};
