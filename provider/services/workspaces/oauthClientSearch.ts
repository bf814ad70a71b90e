import {
  ActionableError,
  type Address,
  get,
  listElements,
  listRequestOf,
  manualCheck,
  type ObjectHookContext,
  type Search,
  stringIn,
} from "../../core";
import { attributeOf } from "./jsonApi";
import { documentsIn } from "./workspaceGone";

const list = get("/organizations/{organization}/oauth-clients");

/** What a program knows of a client that has no ID yet. The server accepts several clients with the same values. */
interface Known {
  readonly name?: unknown;
  readonly serviceProvider?: unknown;
}

/** With page parameters, HCP Terraform counts the list. Other servers return the complete list at once. */
export const CLIENT_PAGES = { by: "number" } as const;

/** Finds a client before it has an ID. */
export const byName: Search = {
  async find(context, address, { name }) {
    const oauthClientId = await idOfOnly(context, address, { name });
    return oauthClientId === undefined ? undefined : context.observe({ ...address, oauthClientId });
  },
  // The server would accept a second client with the name, so such a create is never sent again.
  canFind: () => false,
};

/** Only the address of a function contains a name or a service provider. */
export async function locateClient(
  context: ObjectHookContext,
  { name, serviceProvider, ...address }: Address,
): Promise<Address> {
  if (name === undefined && serviceProvider === undefined) return address;
  const known = { name, serviceProvider };
  const oauthClientId = await idOfOnly(context, address, known);
  if (oauthClientId !== undefined) return { ...address, oauthClientId };
  throw new ActionableError(
    `no OAuth client ${described(address, known)} exists: the organization's list, which this token can read, contains none`,
    [manualCheck("")],
  );
}

/**
 * The ID of the only client with these values; undefined if there is none.
 * @throws ActionableError if there are several
 */
async function idOfOnly(
  context: ObjectHookContext,
  address: Address,
  known: Known,
): Promise<string | undefined> {
  const { name, serviceProvider } = known;
  const found: string[] = [];
  for await (const client of listElements(listRequestOf(context, list, address), CLIENT_PAGES, documentsIn)) {
    const isNamed = name === undefined || attributeOf(client, "name") === name;
    const isOf = serviceProvider === undefined || attributeOf(client, "service-provider") === serviceProvider;
    if (isNamed && isOf) found.push(stringIn(client.id));
  }
  if (found.length < 2) return found[0];
  throw new ActionableError(
    `${found.length} OAuth clients ${described(address, known)} exist (${found.join(", ")}), so it is unknown which of them is meant`,
    [manualCheck("Rename or delete the others, or name a value in which they differ.")],
  );
}

function described({ organization }: Address, { name, serviceProvider }: Known): string {
  const values = [
    ...(name === undefined ? [] : [`named ${JSON.stringify(name)}`]),
    ...(serviceProvider === undefined ? [] : [`for ${serviceProvider}`]),
  ];
  return `${values.join(" ")} in the organization ${organization}`;
}
