import { ignoredPaths } from "../../../provider/services/workspaces/terraformIgnore";

/** The files that are uploaded of the given ones, below folders that are read. */
function uploaded(text: string, files: readonly string[]): string[] {
  const ignored = ignoredPaths(text);
  const foldersOf = (path: string) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return files.filter((path) => !ignored.hasPath(path) && !foldersOf(path).some(ignored.hasFolder));
}

describe("the paths that Terraform uploads (expected values: go-slug 1.0.0)", () => {
  test.each([
    ["a file in an ignored folder", "build/\n!build/keep.tf", ["build/keep.tf"], ["build/other.tf"]],
    ["a folder after *", "*\n!main.tf\n!modules/", ["main.tf", "modules/sub/b.tf"], ["other.tf", "x/y.tf"]],
    ["the files of a folder without a slash", "build\nsecret*", ["build/a", "secrets/a.tf"], ["secret.tf"]],
    ["no path with the pattern in a subfolder", "modules/a.tf", [], ["modules/a.tf", "x/modules/a.tf"]],
    ["a path with the pattern of the root in a subfolder", "/build/", ["x/build/a"], ["build/a"]],
    ["no file below foo/*", "foo/*", ["main.tf"], ["foo/a", "foo/b/c"]],
    ["files below foo/* if an exception follows", "foo/*\n!x.tf", ["foo/b/c", "foo/x.tf"], ["foo/a"]],
    ["no line with spaces around it", "  *.bak \r\n\n# *.tf", ["main.tf"], ["a.bak"]],
    [
      "characters without a special meaning",
      "a+b.tf\n\\#c\n(d)",
      ["aab.tf", "axb.tf"],
      ["a+b.tf", "#c", "(d)"],
    ],
    ["characters outside a class", "[!a].tf\nx[^0-9]", ["b.tf", "x1"], ["a.tf", "!.tf", "xy"]],
    ["one character for ?", "a?", ["a", "abc", "a/b"], ["ab", "x/ab"]],
    ["any folders for **", "a/**/z\nb**c", ["a/x/y", "bxc"], ["a/z", "a/x/y/z", "bc", "bx/c"]],
    ["downloaded modules", "", [".terraform/modules/m/.terraform/x"], [".terraform/p", "m/.terraform/p"]],
    ["a file .git", "", [".git"], [".git/config", "x/.git/config"]],
    ["what an exception to the usual paths names", "!.git/\n!", [".git/config"], [".terraform/p"]],
  ])("contain %s", (_, text, included, excluded) => {
    expect(uploaded(text, [...included, ...excluded])).toEqual(included);
  });
});
