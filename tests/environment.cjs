// Jest's environment for Node, but for what makes code in it slower than in a program. Its global object is watched by a
// proxy, through which every file of a test, ours and the libraries', looks up `Object`, `Array` or `JSON` forty times as
// slowly: this is a context of its own all the same, with a plain one. And it keeps a hundred calls of every stack, where
// Pulumi's SDK asks for that of every promise: this keeps as many as a program does, and looks up no place in our sources
// for a promise's, which nobody reads.
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

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
