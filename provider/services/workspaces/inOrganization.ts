import {
  type AbsenceProof,
  ActionableError,
  type Address,
  checksByReadAndRejection,
  del,
  deletes,
  get,
  isObject,
  type Json,
  type Listing,
  type ListRequest,
  listRequestOf,
  manualCheck,
  type ObjectHookContext,
  type PageStyle,
  patch,
  place,
  post,
  setting,
  stringIn,
} from "../../core";
import { attributeOf } from "./jsonApi";
import { searchInList } from "./listSearch";
import { isTaken, workspaces } from "./service";
import { documentsIn, findInList, isMissing, TO_ITS_END } from "./workspaceGone";

/** A kind of objects of an organization. The server gives each an ID, and a name is unique in its organization. */
interface Kind {
  /** The collection's name in paths, and the JSON:API type of its objects. */
  readonly collection: string;
  /** The address part with the object's ID. */
  readonly part: string;
  readonly noun: string;
  /** How the complete list is requested. Default: page by page. */
  readonly pages?: PageStyle;
  /** Why no program can import an existing object; unset if programs can. */
  readonly apart?: string;
}

/** The requests of such objects, the search by name, and the proof that an object was deleted. */
export function inOrganization({ collection, part, noun, pages = TO_ITS_END, apart }: Kind) {
  const all = `/organizations/{organization}/${collection}`;
  const one = `/${collection}/{${part}}`;
  const list = get(all);
  const gone = missingFromOrganization(
    noun,
    (context, address) => listRequestOf(context, list, address),
    ({ id }, address) => id === address[part],
    pages,
  );
  const byName = searchInList({ route: list, pages, part }, (item, { name }) => item.name === name);
  /** Only the address of a function contains a name. */
  const locate = async (context: ObjectHookContext, { name, ...address }: Address): Promise<Address> => {
    if (name === undefined) return address;
    const found = await findInList(
      listRequestOf(context, list, address),
      (document) => attributeOf(document, "name") === name,
      pages,
    );
    if (found !== undefined) return { ...address, [part]: stringIn(found.id) };
    throw new ActionableError(
      `${noun} "${address.organization}/${name}" does not exist: the organization's list, which this token can read, does not contain its name`,
      [manualCheck("")],
    );
  };
  const listing = {
    route: list,
    itemContent: "whole",
    pages,
    filters: {},
    items: (page) => documentsIn(page).map((data) => workspaces.unwrap({ data })),
    whyUnmanageable: () => apart,
    displayName: (item) => (isObject(item) && typeof item.name === "string" ? item.name : undefined),
    refreshData: {
      key: (address) => address[part],
      responses: (page) => documentsIn(page).map((data) => [stringIn(data.id), { data }] as const),
    },
  } as const satisfies Listing;
  return {
    where: place(`{organization}/{${part}}`, {
      defaults: { organization: setting("organization") },
      fromResponse: { [part]: "id" },
    }),
    reads: {
      one: get(one),
      expects: { named: { [part]: "id", name: "name" } },
      absence: gone,
      list: listing,
      locate,
    },
    requests: { create: post(all), update: patch(one) },
    creation: { existing: checksByReadAndRejection(isTaken, byName) },
    deletion: deletes(del(one)),
  };
}

/** The proof that an object was deleted: the server returns 404, and the organization's list does not contain the object. */
export function missingFromOrganization(
  noun: string,
  listed: (context: ObjectHookContext, address: Address) => ListRequest,
  isIt: (document: { readonly [member: string]: Json }, address: Address) => boolean,
  pages?: PageStyle,
): AbsenceProof {
  return {
    evidence: `the ${noun} returns 404 and is missing from the organization's list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for objects that the token cannot see`,
    async proves({ status }, context, address) {
      if (status !== 404 || address.organization === undefined) return false;
      return isMissing(listed(context, address), (document) => isIt(document, address), pages);
    },
  };
}
