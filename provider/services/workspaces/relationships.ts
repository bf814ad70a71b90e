import { z } from "zod";
import { field, text } from "../../core";

/** The relationships of a document, by their names in a program, with a description of each target. */
type Relationships = Readonly<Record<string, { readonly doc: string; readonly isMany?: boolean }>>;

/** The target of a relationship. */
const target = () =>
  z.object({
    id: field(z.string(), { doc: "ID of the related object." }),
    type: field(z.string(), { doc: "JSON:API type of the related object." }),
  });

/**
 * The relationships of a document, as a program reads them. A target is `{ id, type }`, and absent if the relationship is
 * empty. A to-many relationship is a list of targets.
 */
export function relationshipsField(relationships: Relationships) {
  const members = Object.entries(relationships).map(([name, { doc, isMany = false }]) => [
    name,
    field(isMany ? z.array(target()) : target().optional(), { doc }),
  ]);
  return field(z.object(Object.fromEntries(members) as Record<string, z.ZodType>), {
    doc: "Related objects as `{ id, type }`; an empty relationship is absent, and a to-many relationship is a list.",
  });
}

/** The paths of a document and of its related objects; `self-html` only if it has a web page. */
export function linksField(related: Readonly<Record<string, string>>, { hasPage }: { hasPage: boolean }) {
  return field(
    z.object({
      self: text("Path of the object itself."),
      ...(hasPage && { selfHtml: text("Path of its web page.") }),
      related: field(
        z.object(Object.fromEntries(Object.entries(related).map(([name, doc]) => [name, text(doc)]))),
        { doc: "Paths of related objects, if the server returns them." },
      ),
    }),
    { doc: "Paths relative to the server's address." },
  );
}
