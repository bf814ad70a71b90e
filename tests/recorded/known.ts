/** Where the stub does not answer as the real server does, and why it stays so. */
interface Apart {
  readonly program: string;
  /** Beginning of the words by which an exchange is known; every exchange where it is empty. */
  readonly about: string;
  /** The member, from the status or the body on; `*` is any name, or any element. */
  readonly path: readonly string[];
  readonly because: string;
}

const KNOWN: readonly Apart[] = [
  {
    program: "bao",
    about: "a role's vhosts that are no JSON",
    path: ["body", "errors"],
    because: "the words after the colon are those of another language's reader",
  },
  {
    program: "bao",
    about: "a number that no machine holds",
    path: ["body", "errors"],
    because: "the stub's reader of JSON knows infinity; it refuses it all the same, with its own words",
  },
  {
    program: "bao",
    about: "a dynamic role with LDIF that cannot be read",
    path: ["body", "errors"],
    because: "the words after the colon are those of another reader of LDIF",
  },
];

/** The members in which an exchange of a server is known to differ. */
export function apart(program: string, about: string): readonly (readonly string[])[] {
  return KNOWN.filter((one) => one.program === program && about.startsWith(one.about)).map(
    ({ path }) => path,
  );
}
