/**
 * A small deployment engine with Pulumi's protocols and file formats, for testing and trying programs without the Pulumi
 * CLI. It is a test double: unsupported features are refused by name.
 */
export { embeddedCommand } from "./command/embedded";
export { type PickedEngine, type PickOptions, pickEngine } from "./command/pick";
