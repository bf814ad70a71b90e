// The plan of the house: who may import whom. The rules are made from the lists below.

/**
 * Folders with floors, from the ground up; what stands side by side on one floor is a list. A room (a folder or a
 * file) imports itself and what stands below it, nothing beside it and nothing above, and there is no other room.
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
    "compare",
    "state",
    "requests",
    "steps",
    "functions",
    ["bridge", "index"],
  ],
  "provider/core/bridge": [
    "asideProperty",
    "neighbors",
    ["provider", "engineValues", "callSecrets"],
    ["callValues", "copies"],
    ["sealedSecrets", "checking"],
    "readSecrets",
    ["call", "records"],
    "proposed",
    ["dynamic", "plugin"],
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

/** What a folder knows nothing of. */
const strangers = {
  packages: [
    "command",
    "discover",
    "doctor",
    "drift",
    "generate",
    "programs",
    "provider",
    "sdk",
    "stacks",
    "testing",
    "tests",
  ],
  provider: [
    "command",
    "discover",
    "doctor",
    "drift",
    "generate",
    "programs",
    "stacks",
    "testing",
    "sdk",
    "tests",
  ],
  stacks: ["command", "discover", "doctor", "drift", "generate", "programs", "sdk", "testing", "tests"],
  drift: ["command", "discover", "doctor", "generate", "programs", "sdk", "testing", "tests"],
  sdk: ["generate", "testing", "tests", "command", "discover", "doctor", "drift", "programs", "stacks"],
  discover: ["command", "doctor", "drift", "generate", "sdk", "testing", "tests"],
  command: ["generate", "sdk", "testing", "tests"],
  doctor: ["command", "discover", "drift", "generate", "programs", "sdk", "testing", "tests"],
  programs: [
    "command",
    "discover",
    "doctor",
    "drift",
    "generate",
    "provider",
    "sdk",
    "stacks",
    "testing",
    "tests",
  ],
  testing: [
    "command",
    "discover",
    "doctor",
    "drift",
    "generate",
    "programs",
    "provider",
    "sdk",
    "stacks",
    "tests",
  ],
  generate: ["command", "discover", "doctor", "drift", "stacks", "testing", "sdk", "tests"],
};

/** What a folder knows by the package's own name alone, as a program would. */
const knownByName = { sdk: ["provider"] };

/** Who hands on what is a stranger to the rest of its folder. */
const handsOn = ["sdk/testing\\.ts"];

/** Where no file may come back to itself, by whatever way, types included. */
const withoutCircles = [
  "provider",
  "stacks",
  "drift",
  "discover",
  "programs",
  "doctor",
  "sdk",
  "command",
  "testing",
  "generate",
  "scripts",
];

/** A file, or whatever is in a folder. */
const within = (inside, rooms) => `^${inside}/(${[rooms].flat().join("|")})(/|\\.[a-z]+$)`;

function floorRules([inside, floors]) {
  const rules = floors.flatMap((floor, level) =>
    [floor].flat().map((room) => ({
      name: `${inside}: ${room} imports only what stands below it`,
      severity: "error",
      from: { path: within(inside, room) },
      to: { path: `^${inside}/`, pathNot: within(inside, [room, ...floors.slice(0, level).flat()]) },
    })),
  );
  const loose = { path: `^${inside}/`, pathNot: within(inside, [...floors.flat(), "dist"]) };
  const name = `${inside}: every file stands on a floor`;
  return [
    ...rules,
    { name, severity: "error", from: loose, to: {} },
    { name, severity: "error", from: {}, to: loose },
  ];
}

const strangerRule = ([folder, others]) => ({
  name: `${folder} imports nothing of ${others.join(", ")}`,
  severity: "error",
  from: { path: `^${folder}/`, pathNot: handsOn.map((file) => `^${file}$`) },
  to: { path: `^(dist/)?(${others.join("|")})/` },
});

const byNameRule = ([folder, others]) => ({
  name: `${folder} imports ${others.join(", ")} by the package's name`,
  severity: "error",
  from: { path: `^${folder}/` },
  to: { path: `^(dist/)?(${others.join("|")})/`, dependencyTypes: ["local"] },
});

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
    ...Object.entries(strangers).map(strangerRule),
    ...Object.entries(knownByName).map(byNameRule),
    ...Object.entries(houses).flatMap(floorRules),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // An import of a type alone is an arrow like any other.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "(^|/)dist/"] },
  },
};
