/** Outputs that are made when a program reads them. */
const LAWS = ["tests/sdk/lightOutputs"];

/** @type {readonly import("./mutation.mjs").Mutation[]} */
export const outputs = [
  {
    what: "an output that the answer does not name is unknown in a preview",
    find: "isKnown: !isPreview && !isSkipped, isSecret: false",
    replace: "isKnown: !isSkipped, isSecret: false",
    tests: LAWS,
  },
  {
    what: "an output of what was skipped is unknown",
    find: "isKnown: !isPreview && !isSkipped, isSecret: false",
    replace: "isKnown: !isPreview, isSecret: false",
    tests: LAWS,
  },
  {
    what: "an output is secret as the engine says",
    find: "isSecret: pulumi.runtime.isRpcSecret(read),",
    replace: "isSecret: false,",
    tests: LAWS,
  },
  {
    what: "an output depends on what the engine says",
    find: "dependencies: answered.dependencies.map((urn) => new pulumi.DependencyResource(urn)),",
    replace: "dependencies: [],",
    tests: LAWS,
  },
  {
    what: "unknown parts stay unknown in a preview",
    find: "deserializeProperty(answered.value, isSkipped || isPreview)",
    replace: "deserializeProperty(answered.value, isSkipped)",
    tests: LAWS,
  },
  {
    what: "an output's members are there when somebody asks for them",
    find: "  ownKeys(target: object): (string | symbol)[] {\n    this.touch();",
    replace: "  ownKeys(target: object): (string | symbol)[] {",
    tests: LAWS,
  },
  {
    what: "what is no member of an output is lifted from its value",
    find: "return property in target ? Reflect.get(target, property) : Reflect.get(made, property);",
    replace: "return made && Reflect.get(target, property);",
    tests: LAWS,
  },
  {
    what: "an answer is kept for the resource whose registration it answers",
    find: "const place = awaited.get(request.getAdditionalsecretoutputsList());",
    replace: "const place = awaited.get(request.getAdditionalsecretoutputsList()) && { properties: [] };",
    tests: LAWS,
  },
  {
    what: "a transformation sees a place for every property",
    find: "if ((opts?.transformations?.length ?? 0) > 0 ||",
    replace: "if (",
    tests: LAWS,
    only: "transformation",
  },
  {
    what: "a parent's transformation sees a place for every property",
    find: "|| (parent.__transformations?.length ?? 0) > 0) return false;",
    replace: ") return false;",
    tests: LAWS,
    only: "transformation",
  },
];
