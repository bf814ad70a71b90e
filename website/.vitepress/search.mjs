// The settings of the search. The site's scripts contain a copy of each function, which uses only its parameters.

/** Words, with the parts of names such as `vault_identity_mfa_okta` and `LoginEnforcement`. */
function tokenize(text) {
  return text
    .replace(/&[a-z]+;|&#\d+;/g, " ")
    .split(/[^\p{L}\p{N}_]+/u)
    .flatMap((word) => [word, ...word.split(/_|(?<=[a-z0-9])(?=[A-Z])/)])
    .filter((word, index, words) => word !== "" && word !== words[index - 1]);
}

/** The complete name of a Terraform resource is more specific than its parts. */
function boostTerm(term) {
  return term.includes("_") ? 10 : 1;
}

/** Pages for users come before pages for contributors, and references and guides before migration pages. */
function boostDocument(id) {
  if (/\/(?:decisions\/|reliability|reference\/endpoints|architecture|wire)/.test(id)) return 0.2;
  return /\/coming-from\//.test(id) ? 0.4 : 1;
}

export const miniSearch = {
  options: { tokenize },
  searchOptions: {
    boost: { title: 4, titles: 2, text: 1 },
    fuzzy: 0.1,
    prefix: true,
    boostTerm,
    boostDocument,
  },
};
