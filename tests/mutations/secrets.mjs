/** Secrets that a program keeps elsewhere: each secret of every definition, on both bridges, and what is told of one. */
const SOURCES = ["tests/core/bridge/secretSources.test"];
const PLACES = ["tests/core/bridge/secretPlaces.test"];
/** A secret that its service shows, and one that it does not. */
const TWO = "mesh:InlineCertificate.*fromEnv|secrets:DirectoryConfig bindpass.*fromEnv";

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const secrets = [
  {
    what: "the same object where no secret is, is an object",
    find: '.filter(([segment]) => part === "*" || String(segment) === part)',
    replace: ".filter(([segment]) => part !== segment || String(segment) === part)",
    tests: PLACES,
    only: "outside a secret field",
  },
  {
    what: "an object that says more than where a secret is, is no source",
    find: "if (member === undefined || others.length > 0) return undefined;",
    replace: "if (member === undefined) return undefined;",
    tests: PLACES,
    only: "with two sources",
  },
  {
    what: "a service's answer with a secret in it is sealed",
    find: "const secret = valueAt(whole, place);",
    replace: "const secret = place.length < 0 ? valueAt(whole, place) : undefined;",
    tests: SOURCES,
    only: TWO,
  },
  {
    what: "what is sent is the secret itself",
    find: "if (sealing === undefined) return connection;",
    replace: 'if (sealing?.salt !== "") return connection;',
    tests: SOURCES,
    only: TWO,
  },
  {
    what: "two resources with one secret have two salts",
    find: 'return randomBytes(16).toString("base64url");',
    replace: 'return randomBytes(16).fill(0).toString("base64url");',
    tests: PLACES,
    only: "two states with the same secret",
  },
  {
    what: "a line break at the end of a secret is no change",
    find: "const bare = withoutBreaks(secret);",
    replace: "const bare = secret;",
    tests: PLACES,
    only: "line break",
  },
  {
    what: "a change of where a secret is reaches the state",
    find: "return paths.filter((path) => !isSameSource(before[path], now[path])).map(segmentsOf);",
    replace: "return paths.filter((path) => path === undefined).map(segmentsOf);",
    tests: SOURCES,
    only: "DirectoryConfig bindpass.*fromEnv.*replaces a plain value",
  },
  {
    what: "another secret at its source is told",
    find: "const isRotated = isSameSource(before[path], source) && valueAt(applied, at) !== valueAt(inputs, at);",
    replace:
      "const isRotated = isSameSource(before[path], source) && valueAt(applied, at) === valueAt(inputs, at);",
    tests: SOURCES,
    only: TWO,
  },
  {
    what: "what the program writes plainly again is plain in the records",
    find: "const secret = isKept(path) ? undefined : this.sealing.secretOf(String(valueAt(all, path)));",
    replace: 'const secret = isKept(path) || path.length > 0 ? undefined : this.sealing.secretOf("");',
    tests: SOURCES,
    only: TWO,
  },
  {
    what: "what was plain on record is sealed with the inputs",
    find: 'if (typeof secret !== "string" || secret === "" || isSeal(secret)) return values;',
    replace: 'if (typeof secret !== "string" || secret !== "") return values;',
    tests: SOURCES,
    only: TWO,
  },
  {
    what: "a secret that is kept elsewhere is masked where it is quoted",
    find: "this.redactor.add(() => secrets.known());",
    replace: "this.redactor.add(() => []);",
    tests: PLACES,
    only: "that the server quotes",
  },
  {
    what: "where a secret is, is no secret",
    find: "return sourceIn(value) !== undefined && isSecretPathExactly(definition, {}, path);",
    replace: "return sourceIn(value) === undefined && isSecretPathExactly(definition, {}, path);",
    tests: SOURCES,
    only: "DirectoryConfig bindpass.*fromEnv.*cannot be read",
  },
  {
    what: "what is on record of a secret is enough where it cannot be had",
    find: "return recorded !== undefined && isSameSource(recorded.source, source) ? recorded.seal : undefined;",
    replace:
      "return recorded !== undefined && isSameSource(recorded.source, undefined) ? recorded.seal : undefined;",
    tests: PLACES,
    only: "needs no secret source",
  },
  {
    what: "another secret at its source is no drift",
    find: "const compared = await Call.of(definition, now, host, limits, false);",
    replace: "const compared = await Call.of(definition, now, host, limits);",
    tests: PLACES,
    only: "reports no drift",
  },
  {
    what: "outputs hold neither a secret that is kept elsewhere nor its seal",
    find: "const shown = withoutSeals(",
    replace: "const shown = ((own: unknown) => own)(",
    tests: PLACES,
    only: "no output",
  },
  {
    what: "a procedure is given the secrets themselves",
    find: "const open = input.sealing?.opened(inputs) ?? inputs;",
    replace: "const open = inputs;",
    tests: PLACES,
    only: "submitted rekey share",
  },
  {
    what: "records with seals are for releases that know of them",
    find: "v: hasSeals ? VERSION : hasAside ? WITH_ASIDE",
    replace: "v: hasAside ? WITH_ASIDE : hasSeals ? VERSION",
    tests: ["tests/core/state/records.test"],
  },
];
