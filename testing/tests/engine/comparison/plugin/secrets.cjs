/** Marks secrets with the signature of the protocol, at any depth. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSecret = (value) => isMap(value) && value[SIGNATURE] === SECRET;
const each = (map, change) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));

const unwrap = (value) => {
  if (isSecret(value)) return unwrap(value.value);
  if (Array.isArray(value)) return value.map(unwrap);
  return isMap(value) ? each(value, unwrap) : value;
};

/** Values with the secret markers of other values at the same paths. */
const mark = (value, like) => {
  if (isSecret(like)) return { [SIGNATURE]: SECRET, value };
  if (Array.isArray(value) && Array.isArray(like)) return value.map((one, index) => mark(one, like[index]));
  return isMap(value) && isMap(like) ? each(value, (one, key) => mark(one, like[key])) : value;
};

module.exports = { mark, unwrap };
