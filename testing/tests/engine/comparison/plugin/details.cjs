/** Detailed differences by property path and kind of the protocol: `value.list[0]["a key"]`. */
const { PropertyDiff } = require("@pulumi/pulumi/proto/provider_pb");

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
const REPLACING = { [ADD]: ADD_REPLACE, [DELETE]: DELETE_REPLACE, [UPDATE]: UPDATE_REPLACE };

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const member = (path, key) => (/^\w+$/.test(key) ? `${path}.${key}` : `${path}["${key}"]`);

function* differences(path, old, now) {
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  if (old === undefined) yield [path, ADD];
  else if (now === undefined) yield [path, DELETE];
  else if (isMap(old) && isMap(now)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      yield* differences(member(path, key), old[key], now[key]);
    }
  } else if (Array.isArray(old) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      yield* differences(`${path}[${index}]`, old[index], now[index]);
    }
  } else yield [path, UPDATE];
}

exports.detailsOf = (olds, news, replaces) => {
  const details = {};
  for (const key of Object.keys({ ...olds, ...news }).sort()) {
    if (key === "computed" || key === "__provider") continue;
    for (const [path, kind] of differences(key, olds[key], news[key])) {
      details[path] = replaces.includes(key) ? REPLACING[kind] : kind;
    }
  }
  return details;
};
