/** What may stand in a text that is shown. */

const REDACTOR = ["tests/core/http/redact/redactor"];

const SUBMISSION = { tests: ["tests/services/scheduler/jobRegister"], only: "submission" };

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const texts = [
  {
    what: "a variable that is marked secret is in no submission",
    find: ".filter(([name]) => !hidden.has(name)));",
    replace: ");",
    ...SUBMISSION,
  },
  {
    what: "a variable with a secret inside is in no submission",
    find: 'marked.some((path) => path.length < 2 || path[1] === "*")',
    replace: "marked.some((path) => path.length !== 2)",
    ...SUBMISSION,
  },
  {
    what: "a file of variables that is marked secret is in no submission",
    find: 'marked.some((path) => path.length < 2 || path[1] === "*")',
    replace: 'marked.some((path) => path[1] === "*")',
    ...SUBMISSION,
  },
  {
    what: "a job's text is no submission where the program says so",
    find: "if (submission === false) return undefined;",
    replace: "",
    ...SUBMISSION,
  },
  {
    what: "a text is read and shown up to a bound",
    find: "const text = whole.length > MOST_TEXT ? whole.slice(0, MOST_TEXT) : whole;",
    replace: "const text = whole;",
    tests: REDACTOR,
  },
  {
    what: "what cannot be searched for secrets is withheld",
    find: "      return WITHHELD;\n",
    replace: "      return text;\n",
    tests: REDACTOR,
  },
  {
    what: "what could not be read to its end is not shown",
    find: "    ...undecoded.flatMap(placesBehind),\n",
    replace: "",
    tests: REDACTOR,
  },
  {
    what: "a piece of a secret is masked like the whole",
    find: "export const PIECE = 12;",
    replace: "export const PIECE = 16;",
    tests: REDACTOR,
  },
  {
    what: "a short secret tears no word in which it stands by chance",
    find: "if (secret === undefined || (secret.isWord && !isWholeWord(haystack, from, secret))) continue;",
    replace: "if (secret === undefined) continue;",
    tests: REDACTOR,
  },
  {
    what: "a source of secrets that failed is asked again before the next text is shown",
    find: '      else for (const secret of [...(typeof source === "function" ? source() : source)]) this.#learn(secret);\n      this.#sources.shift();\n',
    replace:
      '      this.#sources.shift();\n      if (!(source instanceof Redactor))\n        for (const secret of [...(typeof source === "function" ? source() : source)]) this.#learn(secret);\n',
    tests: REDACTOR,
  },
  {
    what: "two numbers that are one double are read as they are written",
    find: "if ((exact.get(double) ?? value) !== value) return undefined;",
    replace: "",
    tests: ["tests/core/value/json"],
  },
  {
    what: "what the second of two objects has alone makes them differ",
    find: "for (const name in b) if (!Object.hasOwn(a, name) && b[name] !== undefined) return false;",
    replace: "",
    tests: ["tests/core/value/json"],
  },
  {
    what: "a secret member of a document is looked for in it",
    find: "if (document?.secret !== undefined && isNamed(document.secret, path.slice(depth))) return true;",
    replace: "",
    tests: ["tests/core/state/secrets", "tests/core/bridge/canaries"],
  },
];
