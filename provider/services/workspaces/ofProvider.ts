import { z } from "zod";
import {
  type AbsenceProof,
  type Address,
  field,
  get,
  isObject,
  type Json,
  listRequestOf,
  type ObjectHookContext,
  type Route,
  type Search,
  setting,
} from "../../core";
import { organizationField } from "./organization";
import { missingFromRegistry } from "./registryProviderGone";
import { findInList, isMissing, TO_ITS_END } from "./workspaceGone";

/** The path of the versions of a private provider. */
export const VERSIONS =
  "/organizations/{organization}/registry-providers/private/{organization}/{name}/versions";

/** The private provider that a resource belongs to: part of its identity. */
export const providerFields = {
  organization: organizationField,
  name: field(z.string().min(1), {
    doc: "Name of the private provider.",
    role: "identity",
    location: "address",
  }),
};

/** The sources of the address parts of a provider. Its namespace is its organization. */
export const providerParts = { defaults: { organization: setting("organization") } };

type Attributes = { readonly [member: string]: Json };

/** True if a list is complete and has no item with these attributes. */
async function lacks(
  context: ObjectHookContext,
  route: Route,
  address: Address,
  isWanted: (attributes: Attributes) => boolean,
): Promise<boolean> {
  const listed = listRequestOf(context, route, address);
  return isMissing(listed, ({ attributes }) => isObject(attributes) && isWanted(attributes), TO_ITS_END);
}

/** Finds an object in a list before a create: a read of an absent object would need the list, too. */
export function searchIn(list: string, members: readonly string[]): Search {
  return {
    async find(context, address) {
      const found = await findInList(
        listRequestOf(context, get(list), address),
        ({ attributes }) =>
          isObject(attributes) && members.every((name) => attributes[name] === address[name]),
      );
      return found && context.observe(address);
    },
    canFind: () => true,
  };
}

/** The proof that a version was deleted, alone or with its provider. */
export const versionGone: AbsenceProof = {
  evidence:
    "the version returns 404 and is missing from the provider's list of versions, or the provider is missing from the organization's list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for objects that the token cannot see",
  async proves(answer, context, address) {
    if (answer.status !== 404) return false;
    const isWanted = ({ version }: Attributes) => version === address.version;
    if (await lacks(context, get(VERSIONS), address, isWanted)) return true;
    return missingFromRegistry.proves(answer, context, {
      ...address,
      registryName: "private",
      namespace: address.organization,
    });
  },
};

/** The proof that a platform was deleted, alone or with its version. */
export const platformGone: AbsenceProof = {
  evidence:
    "the platform returns 404 and is missing from the version's list of platforms, or its version or provider was deleted. The missing list entry is the best available evidence, because the server also returns 404 for objects that the token cannot see",
  async proves(answer, context, address) {
    if (answer.status !== 404) return false;
    const isWanted = ({ os, arch }: Attributes) => os === address.os && arch === address.arch;
    if (await lacks(context, get(`${VERSIONS}/{version}/platforms`), address, isWanted)) return true;
    return versionGone.proves(answer, context, address);
  },
};
