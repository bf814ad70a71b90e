import { type Dialect, elementsIn, type HttpResponse, isObject, type PageStyle, stringIn } from "../../core";

/** A text of a list's query or item; undefined if it is empty or missing. */
export const givenText = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** The pages of a list, which Nomad numbers with a token in a header (specification: General conventions, Pagination). */
export const byToken = ({ headers }: Dialect, size?: number): PageStyle => ({
  by: "token",
  header: headers.nextToken ?? "",
  ...(size !== undefined && { size }),
});

/** The items of a list's page, each with its value of the member that identifies it. */
export const itemsBy =
  (member: string) =>
  ({ json }: HttpResponse) =>
    elementsIn(json)
      .filter(isObject)
      .map((item) => [stringIn(item[member]), item] as const);
