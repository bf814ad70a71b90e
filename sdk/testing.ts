/** What programs are tested with: a package of its own, which is installed beside this one. */
export * from "pulumi-quarterdeck-testing";
