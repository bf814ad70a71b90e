import { z } from "zod";
import { field, text } from "../../core";

/** The relationships of a document, by their names in a program, with a description of each target. */
type Relationships = Readonly<Record<string, { readonly doc: string; readonly isMany?: boolean }>>;

/** The target of a relationship. */
const target = () =>
  z.object({
    id: field(z.string(), { doc: "The id by which the service knows it." }),
    type: field(z.string(), { doc: "Its type, as the service names types." }),
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
    doc: "What it points to: `{ id, type }`, and nothing where it points to nothing; of many, a list of them.",
  });
}

/** The paths of a document and of its related objects; `self-html` only if it has a web page. */
export function linksField(related: Readonly<Record<string, string>>, { hasPage }: { hasPage: boolean }) {
  return field(
    z.object({
      self: text("Its own path."),
      ...(hasPage && { selfHtml: text("The path of its page for people.") }),
      related: field(
        z.object(Object.fromEntries(Object.entries(related).map(([name, doc]) => [name, text(doc)]))),
        { doc: "The paths of what it points to, where the service names them." },
      ),
    }),
    { doc: "Paths at the service's address." },
  );
}
