// The words for where a resource is and how it lives, for those who write definitions.

export { namedIndex, repeatableWrite } from "./checkAndSet";
export { lookedFor, lookedForAndRefused, refused } from "./creation";
export { deletes, deletesChecked, stays } from "./deletion";
export { object } from "./life";
export { action, procedure, writeOnly } from "./lives";
export { place, setting } from "./place";
export { define } from "./resource";
export { del, get, patch, post, put } from "./route";
export { merges, patches, replaces } from "./writes";
