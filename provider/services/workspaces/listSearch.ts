import {
  type Address,
  type Body,
  listRequestOf,
  type ObjectHookContext,
  type PageStyle,
  type Route,
  type Search,
  stringIn,
  type Values,
} from "../../core";
import { workspaces } from "./service";
import { findInList } from "./workspaceGone";

/** A list that contains the objects of one parent. */
interface Listed {
  readonly route: Route;
  /** The query of a request. */
  query?(address: Address): Record<string, string | undefined>;
  /** How the complete list is requested. Default: page by page, as far as the server has pages. */
  readonly pages?: PageStyle;
  /** The address part with the object's ID. */
  readonly part: string;
}

/** Finds an object in a list before the program knows its ID, by members that are unique in the list. */
export function searchInList(
  { route, query, pages = { by: "number" }, part }: Listed,
  isWanted: (item: Body, inputs: Values) => boolean,
): Search {
  return {
    async find(context: ObjectHookContext, address: Address, inputs: Values) {
      const list = listRequestOf(context, route, address, query?.(address));
      const found = await findInList(list, (data) => isWanted(workspaces.unwrap({ data }), inputs), pages);
      return found && context.observe({ ...address, [part]: stringIn(found.id) });
    },
    canFind: () => true,
  };
}
