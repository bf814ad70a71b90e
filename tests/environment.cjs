// Jest's environment for Node without the parts that make code slow:
// - Jest's global object is a proxy, so each lookup of `Object`, `Array` or `JSON` takes 40 times as long. This environment creates
//   its context with a plain global object.
// - Jest keeps 100 calls of each stack trace, and Pulumi's SDK creates a stack trace for each promise. This environment keeps as many
//   calls as Node does, and maps the traces of promises to no source, because no one reads them.
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/** The compiled code of each file, which the contexts of all tests share. */
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

/** Node's default. */
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
