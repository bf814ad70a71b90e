/**
 * A small deployment engine that speaks Pulumi's own protocols and keeps Pulumi's own files, so that programs
 * can be tested and tried where the Pulumi CLI cannot be had. It is a test double: what it does not do it refuses
 * by name.
 */
export { embeddedCommand } from "./command/embedded";
export { type PickedEngine, type PickOptions, pickEngine } from "./command/pick";
