import {
  ActionableError,
  type Address,
  del,
  deletes,
  durationAsText,
  elementsIn,
  errorOfRead,
  get,
  isObject,
  isSuccess,
  type Json,
  type Listing,
  manualCheck,
  removeOnce,
  type Search,
  type Spelling,
  send,
} from "../../core";
import { namesIn } from "./copied";
import { inRegion } from "./service";

const idOf = (link: Json) => (isObject(link) && typeof link.ID === "string" ? link.ID : link);

/** The IDs of roles, which Nomad stores as objects and returns with the roles' names. */
export const roleIds: Spelling = {
  doc: "",
  canonical: (value) => (Array.isArray(value) ? value.map(idOf) : value),
  encode: (value) => elementsIn(value).map((id) => ({ ID: idOf(id) })),
};

/** The property accepts text only, so an import writes text. */
export const lifetime: Spelling = {
  ...durationAsText,
  ...(durationAsText.encode && { restore: durationAsText.encode }),
};

const all = get("/acl/tokens", { query: inRegion });

/** Lists the tokens without their secrets. Nomad's `prefix` is that of an accessor ID. */
export const tokenListing = {
  ...namesIn("/acl/tokens"),
  filters: {},
  query: () => ({}),
} as const satisfies Listing;

const removal = del("/acl/token/{accessorId}", { query: inRegion, expects: "index" });

/** Nomad rejects the delete of an absent token with a 400. */
export const tokenDeletion = deletes(removal, {
  perform: (context, address) =>
    removeOnce(context, removal, address, {
      isDoneAlready: ({ status, text }) =>
        status === 400 && text.trim() === `Cannot delete nonexistent tokens: ${address.accessorId}`,
    }),
});

/** Finds a token before its accessor ID is known. Nomad allows several tokens of one name. */
export const tokenOfName: Search = {
  // Nomad would create a second token, if the first request is only delayed.
  canFind: () => false,
  async find(context, { region }, { name }) {
    const there: Address = region === undefined ? {} : { region };
    const answer = await send(context, all, there, { nature: "read" });
    if (!isSuccess(answer) || !Array.isArray(answer.json)) throw errorOfRead(context, answer, all, there);
    const [one, another] = answer.json.filter((token) => isObject(token) && token.Name === name);
    if (!isObject(one)) return undefined;
    if (another !== undefined)
      throw new ActionableError(
        `Nomad has several ACL tokens with the name ${JSON.stringify(name)}, so Quarterdeck cannot tell which one is this resource's.`,
        [
          manualCheck(
            "Delete the tokens that no one uses (`nomad acl token list` shows their creation), or use a different name.",
          ),
        ],
      );
    if (typeof one.AccessorID !== "string") throw errorOfRead(context, answer, all, there);
    return context.observe({ ...there, accessorId: one.AccessorID });
  },
};
