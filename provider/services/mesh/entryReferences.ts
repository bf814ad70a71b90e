import {
  canonicalValue,
  isObject,
  ownMember,
  type PartlyKnown,
  type References,
  type Spelling,
  UNKNOWN,
  type Value,
} from "../../core";

/** The kinds that each describe one service. An entry that names the service depends on all four kinds. */
const OF_SERVICES = new Set(["service-defaults", "service-resolver", "service-router", "service-splitter"]);

/** The members that name a service, at any depth. */
const NAMING_SERVICES = new Set(["Service"]);
/** The members that list named entries of one kind, at any depth. */
const LISTS: Readonly<Record<string, string>> = { Services: "service", Providers: "jwt-provider" };

/**
 * The references between entries. Routers, splitters, resolvers, gateways and routes name services; routes name gateways,
 * gateways name certificates, and intentions name JWT providers. References into another namespace, partition or datacenter are not resolved.
 * @param kind the kind of the entries; undefined if each entry names its own
 */
export function entryReferences(kind: string | undefined, spelling: Spelling): References {
  return {
    from: (inputs, address) => {
      const { spec } = inputs;
      const own = keyOf(kind ?? inputs.kind, address);
      if (spec === undefined || spec === null || spec === UNKNOWN || own === undefined) return [];
      const place = placeOf(address);
      return referencedNames(canonicalValue(spelling, spec), address).map((named) => `${place}${named}`);
    },
    to: (address) => {
      const key = keyOf(kind ?? address.kind, address);
      return key === undefined ? [] : [`${placeOf(address)}${key}`];
    },
  };
}

/** The caller distinguishes named connections. */
function placeOf({ datacenter, namespace, partition }: PartlyKnown): string {
  return JSON.stringify([text(datacenter), text(namespace) || "default", text(partition) || "default"]);
}

const text = (value: Value | undefined) => (typeof value === "string" ? value : "");

function keyOf(kind: Value | undefined, { name }: PartlyKnown): string | undefined {
  if (typeof kind !== "string" || typeof name !== "string") return undefined;
  return OF_SERVICES.has(kind) ? `service ${name}` : `${kind} ${name}`;
}

/** The names of other entries and of services in an entry, as far as these are in the same place as the entry itself. */
function referencedNames(value: Value, place: PartlyKnown): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => referencedNames(element as Value, place));
  if (!isObject(value)) return [];
  const { Kind: kind, Name: name } = value;
  const isHere = !isElsewhere(value, place);
  const entry = isHere && typeof kind === "string" && typeof name === "string" ? [`${kind} ${name}`] : [];
  return [
    ...entry,
    ...Object.entries(value).flatMap(([member, part]) => {
      if (NAMING_SERVICES.has(member) && typeof part === "string" && part !== "")
        return isHere ? [`service ${part}`] : [];
      const inner = referencedNames(part as Value, place);
      const kind = ownMember(LISTS, member);
      return kind === undefined ? inner : [...namesIn(part as Value, kind, place), ...inner];
    }),
  ];
}

function namesIn(list: Value, kind: string, place: PartlyKnown): string[] {
  return (Array.isArray(list) ? list : []).flatMap((named) =>
    isObject(named) && typeof named.Name === "string" && !isElsewhere(named, place)
      ? [`${kind} ${named.Name}`]
      : [],
  );
}

/** True if a reference names a peer, or another namespace, partition or datacenter than that of the entry. */
function isElsewhere(reference: { readonly [member: string]: unknown }, place: PartlyKnown): boolean {
  const { Namespace, Partition, Datacenter, Peer } = reference;
  const differs = (named: unknown, own: Value | undefined, usual: string) =>
    typeof named === "string" && named !== "" && named !== (text(own) || usual);
  return (
    differs(Namespace, place.namespace, "default") ||
    differs(Partition, place.partition, "default") ||
    differs(Datacenter, place.datacenter, "") ||
    differs(Peer, undefined, "")
  );
}
