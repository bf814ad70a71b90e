// Which folder may import which. The rules follow from the lists below.

/**
 * The layers of a folder, lowest first; modules of one layer are a list. A module (a folder or a file) imports only itself
 * and lower layers. Every module belongs to a layer.
 */
const houses = {
  provider: [
    "core",
    "services",
    ["catalog", "crash", "functions", "node", "version"],
    ["index", "plugin"],
    ["host", "main"],
  ],
  "provider/core": [
    "value",
    "http",
    "language",
    "diff",
    "state",
    "requests",
    "operations",
    "functions",
    ["bridge", "index"],
  ],
  "provider/core/bridge": [
    ["notices", "engineValues"],
    ["neighbors", "provider", "fingerprintedSecrets", "records"],
    ["callValues", "callSecrets", "copies", "fileDigests"],
    "call",
    "checking",
    "proposed",
    ["dynamic", "plugin"],
  ],
  cli: [
    ["visible", "refusal", "ownPackage", "progress", "programs", "columns", "plural"],
    ["file", "help", "status"],
    "state",
    ["completion", "drift", "doctor", "list", "new"],
    "import",
    ["main", "quarterdeck"],
  ],
  testing: [["stub", "engine"], "stack", "index"],
  "testing/engine": [
    ["version", "refusal", "json", "state"],
    "events",
    ["backend", "deployment", "display"],
    "command",
    ["index", "bin"],
  ],
  "testing/engine/command": [
    "line",
    "workspace",
    ["stack", "config", "operation"],
    "commands",
    "run",
    "embedded",
    "pick",
  ],
  "testing/engine/deployment": [
    ["operation", "record"],
    "wire",
    "provider",
    ["program", "steps"],
    ["decide", "execute"],
    "phases",
    "deploy",
  ],
};

/** The other folders that each folder may import. */
const mayImport = {
  packages: [],
  provider: ["packages"],
  sdk: ["provider"],
  cli: ["packages", "provider"],
  testing: [],
  "tools/generate": ["cli", "provider"],
};
const folders = [...Object.keys(mayImport), "tests"];

/** Folders without import cycles, including cycles of types. */
const withoutCircles = [...Object.keys(mayImport), "tools"];

/** Matches a file, or every file of a folder. */
const within = (inside, rooms) => `^${inside}/(${[rooms].flat().join("|")})(/|\\.[a-z]+$)`;

function floorRules([inside, floors]) {
  const rules = floors.flatMap((floor, level) =>
    [floor].flat().map((room) => ({
      name: `${inside}: ${room} imports only lower layers`,
      severity: "error",
      from: { path: within(inside, room) },
      to: { path: `^${inside}/`, pathNot: within(inside, [room, ...floors.slice(0, level).flat()]) },
    })),
  );
  const loose = { path: `^${inside}/`, pathNot: within(inside, [...floors.flat(), "dist"]) };
  const name = `${inside}: every file belongs to a layer`;
  return [
    ...rules,
    { name, severity: "error", from: loose, to: {} },
    { name, severity: "error", from: {}, to: loose },
  ];
}

const folderRule = ([folder, allowed]) => {
  const others = folders.filter((other) => other !== folder && !allowed.includes(other));
  return {
    name: `${folder} imports nothing of ${others.join(", ")}`,
    severity: "error",
    from: { path: `^${folder}/`, pathNot: "^sdk/testing[.]ts$" },
    to: { path: `^(dist/)?(${others.join("|")})/` },
  };
};

const circleRule = (folder) => ({
  name: `${folder}: no circles`,
  severity: "error",
  from: { path: `^${folder}/` },
  // The schemas of the typed mesh kinds are loaded on demand, because each kind builds on the generic entry.
  to: { circular: true, viaOnly: { pathNot: "^provider/services/mesh/kinds/all[.]ts$" } },
});

module.exports = {
  forbidden: [
    {
      name: "services import the core by its index",
      severity: "error",
      from: { path: "^provider/services/" },
      to: { path: "^provider/core/", pathNot: "^provider/core/index[.]ts$" },
    },
    ...withoutCircles.map(circleRule),
    ...Object.entries(mayImport).map(folderRule),
    {
      name: "the SDK imports the provider by the package's name, as a program does",
      severity: "error",
      from: { path: "^sdk/" },
      to: { path: "^(dist/)?provider/", dependencyTypes: ["local"] },
    },
    ...Object.entries(houses).flatMap(floorRules),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types count, too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "(^|/)dist/"] },
  },
};
