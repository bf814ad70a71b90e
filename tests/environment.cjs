// Jest's environment for Node, but for what makes code in it slower than in a program. Its global object is watched by a
// proxy, through which every file of a test, ours and the libraries', looks up `Object`, `Array` or `JSON` forty times as
// slowly: this is a context of its own all the same, with a plain one. And it keeps a hundred calls of every stack, where
// Pulumi's SDK asks for that of every promise: this keeps as many as a program does, and looks up no place in our sources
// for a promise's, which nobody reads.
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/** What was compiled of each file: the same file is the same code in every test's context. */
const compiled = new Map();

const { compileFunction } = vm;
vm.compileFunction = (source, parameters, options) => {
  const { filename, parsingContext } = options;
  if (!parsingContext || source.startsWith("#!")) return compileFunction(source, parameters, options);
  let known = compiled.get(filename);
  if (known?.source !== source) {
    const before = `(function (${parameters.join(",")}) {`;
    const script = new vm.Script(`${before}${source}\n})`, { filename, columnOffset: -before.length });
    known = { source, script };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};

/** As Node keeps where nobody says otherwise. */
const CALLS_KEPT = 10;

module.exports = class PlainEnvironment extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    this.global.Error.stackTraceLimit = CALLS_KEPT;
    this.global.Error.prepareStackTrace = (error, calls) =>
      calls[0]?.getFileName()?.endsWith("/@pulumi/pulumi/runtime/debuggable.js")
        ? String(error)
        : Error.prepareStackTrace(error, calls);
  }
};
