import { z } from "zod";
import { field, text } from "../../core";

/** What relationships of a document there are, by the program's names: what each points to. */
type Relationships = Readonly<Record<string, { readonly doc: string; readonly isMany?: boolean }>>;

/** What a relationship points to. */
const target = () =>
  z.object({
    id: field(z.string(), { doc: "The id by which the service knows it." }),
    type: field(z.string(), { doc: "Its type, as the service names types." }),
  });

/**
 * The relationships of a document as a program reads them, one rule for all: what it points to is `{ id, type }`, and
 * nothing where it points to nothing; of many, a list of them.
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

/** The paths under which a document and what it points to are found; `self-html` only where it has a page for people. */
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
