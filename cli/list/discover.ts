import { catalog } from "../../provider/catalog";
import type { Provider } from "../../provider/core/bridge/provider";
import { Lacking } from "../../provider/core/functions/call";
import {
  type ListedObject,
  listObjects,
  questionOf,
  whyUnlisted,
} from "../../provider/core/functions/objects";
import { withoutStack } from "../../provider/core/http/errors";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Service } from "../../provider/core/language/service";
import { type Configuration, givenSettings, isSamePlace } from "../../provider/core/requests/given";
import { ownMember } from "../../provider/core/value/json";
import { resourcesIn, serviceOf, stackOf, tokenOf } from "../state/deployment";
import { readOnlyProviders } from "../state/readOnly";
import { missingSettings, SettingsOfState } from "../state/settings";
import idHere from "./idHere";
import { nameKey, type TakenNames } from "./names";
import type { ApartObject, ListReport, Unlisted, UnmanagedObject } from "./report";

/** The options of a list. */
export interface DiscoverOptions {
  /** An exported state with its secrets in plain text; objects in it are left out. */
  readonly state?: string | Uint8Array;
  /** The stack's configuration by full keys, `quarterdeck:scheduler`. */
  readonly configuration?: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Only these services, for example `mesh`. */
  readonly services?: readonly string[] | undefined;
  /** Only these types, for example `scheduler:Job`. */
  readonly types?: readonly string[] | undefined;
  /** A part of an ID or a name; case-insensitive. */
  readonly search?: string | undefined;
  /** Reports the progress, counted in types. */
  readonly progress?: (done: number, all: number) => void;
  readonly warn?: (text: string) => void;
}

/** The number of objects per request. */
const PAGE = 100;

/** Arguments that differ from the defaults, so that every object is listed once. */
const ASKED: Readonly<Record<string, Values>> = {
  "scheduler:Job": { namespace: "*" },
  // Every other kind has its own type.
  "mesh:ConfigEntry": { kind: "bound-api-gateway" },
};

interface Lists {
  readonly found: UnmanagedObject[];
  readonly apart: ApartObject[];
  readonly absent: Unlisted[];
  readonly unread: Unlisted[];
  readonly unlistable: Unlisted[];
  readonly notes: Set<string>;
  readonly unconfigured: Map<string, Unlisted>;
  known: number;
}

/**
 * Lists the objects that exist on the servers and are not in the state. It writes nothing.
 * @throws UnreadableState if the state is not an export with its secrets in plain text
 */
export default async function discover(options: DiscoverOptions): Promise<ListReport> {
  return listServices(options, surroundings(options));
}

/** The inputs of a list that are derived from the options. */
export interface ListInputs {
  readonly settings: Configuration;
  /** A read-only provider. */
  readonly host: Provider;
  /** The names of the state's resources on the same servers, by {@link objectKey}. */
  readonly known: ReadonlyMap<string, string>;
  /** The names of the state's resources. */
  readonly names: TakenNames;
}

/**
 * Derives settings, provider and known objects from the options.
 * @throws UnreadableState as `discover` does
 */
export function surroundings({ state, configuration, env, warn }: DiscoverOptions): ListInputs {
  const resources = state === undefined ? [] : resourcesIn(state);
  const settingsOf = new SettingsOfState(resources, { configuration, env });
  const ofNone = settingsOf.ofNone();
  const settings = ofNone.configuration;
  const hostOf = readOnlyProviders({ warn, stack: stackOf(resources) });
  const host = hostOf(ofNone);
  const known = new Map(
    resources.flatMap((resource): [string, string][] => {
      const token = tokenOf(resource.type);
      const definition = token === undefined ? undefined : ownMember(catalog, token)?.();
      if (token === undefined || definition === undefined) return [];
      const own = settingsOf.of(resource);
      if (!isSameServer(definition.service, own.configuration, settings)) return [];
      const id = idHere(definition, resource, { own: hostOf(own), here: host });
      return [[objectKey(token, id), resource.name]];
    }),
  );
  const names = new Set(
    resources.flatMap(({ type, name }) => {
      const token = tokenOf(type);
      return token === undefined ? [] : [nameKey(token, name)];
    }),
  );
  return { settings, host, known, names };
}

/** True if the options select a type. */
export function isTypeSelected({ types, services }: DiscoverOptions, token: string): boolean {
  return (
    (types === undefined || types.includes(token)) &&
    (services === undefined || services.includes(serviceOf(token)))
  );
}

/** Like `discover`, with the result of `surroundings`. */
export async function listServices(options: DiscoverOptions, around: ListInputs): Promise<ListReport> {
  const at = new Date().toISOString();
  const { services, types, search = "", progress } = options;
  const { settings, host, known } = around;
  const lists: Lists = {
    found: [],
    apart: [],
    absent: [],
    unread: [],
    unlistable: [],
    notes: new Set(),
    unconfigured: new Map(),
    known: 0,
  };
  const chosen = Object.keys(catalog).filter((token) => isTypeSelected(options, token));
  const isWanted = ({ id, name }: ListedObject) =>
    [id, name].some((text) => text.toLowerCase().includes(search.toLowerCase()));
  const isAsked = types !== undefined || services !== undefined;
  for (const [done, token] of chosen.entries()) {
    progress?.(done, chosen.length);
    const definition = ownMember(catalog, token)?.();
    if (definition === undefined) continue;
    const { service } = definition;
    const question = questionOf(definition);
    if (question === undefined) {
      lists.unlistable.push({ of: token, why: whyUnlisted(definition) });
    } else if (!isAsked && !isConfigured(service, settings)) {
      lists.unconfigured.set(service.name, { of: service.name, why: missingSettings(service) });
    } else {
      await listInto(lists, definition, { host, known, isWanted });
    }
  }
  return {
    at,
    ...lists,
    unconfigured: [...lists.unconfigured.values()],
    notes: [...lists.notes],
  };
}

interface Listing {
  readonly host: Provider;
  readonly known: ListInputs["known"];
  readonly isWanted: (object: ListedObject) => boolean;
}

async function listInto(lists: Lists, definition: AnyDefinition, { host, known, isWanted }: Listing) {
  const { token, service } = definition;
  const question = questionOf(definition);
  if (question === undefined) return;
  const args: Values = ASKED[token] ?? {};
  try {
    const caller = {
      connection: host.connection(service, undefined),
      log: (kind: string, text: string) => {
        if (kind === "warning") lists.notes.add(text);
      },
    };
    let from: Parameters<typeof listObjects>[2]["from"];
    do {
      const objects = listObjects(question, args, { size: PAGE, from }, caller);
      let next = await objects.next();
      for (; !next.done; next = await objects.next()) {
        const { id, name, apart } = next.value;
        if (!isWanted(next.value)) continue;
        if (apart !== undefined) lists.apart.push({ type: token, id, name, why: apart });
        else if (known.has(objectKey(token, id))) lists.known += 1;
        else lists.found.push({ type: token, id, name });
      }
      from = next.value;
    } while (from !== undefined);
  } catch (error) {
    if (error instanceof Lacking) lists.absent.push({ of: token, why: error.why });
    else lists.unread.push({ of: token, why: withoutStack(error).message });
  }
}

/** A Consul configuration entry is the same object under any type, so IDs are compared within a service. */
export const objectKey = (token: string, id: string) => JSON.stringify([serviceOf(token), id]);

/** True if the configuration has settings or an address for a service. */
function isConfigured(service: Service, settings: Configuration): boolean {
  return (
    settings.get(`quarterdeck:${service.name}`) !== undefined || addressIn(service, settings) !== undefined
  );
}

/** True if two configurations lead to the same server. The same ID on a different server is a different object. */
function isSameServer(service: Service, one: Configuration, other: Configuration): boolean {
  const [first, second] = [one, other].map((settings) => addressIn(service, settings));
  return first === second || isSamePlace(first, second);
}

/** The address from the settings of a service's default connection. IDs with a named connection contain its name. */
function addressIn(service: Service, settings: Configuration): string | undefined {
  const { address } = givenSettings(service, undefined, settings).given;
  return address === undefined ? undefined : String(address);
}
