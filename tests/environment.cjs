// Jest's environment for Node, but for the global object: Jest's is watched by a proxy, through which every file of a test,
// ours and the libraries', looks up `Object`, `Array` or `JSON` forty times as slowly as a program does. This is a context
// of its own all the same, with a plain global object.
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

module.exports = class PlainEnvironment extends TestEnvironment {
  constructor(...given) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
  }
};
