import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { github, REPOSITORY, slugify } from "./markdown.mjs";
import { EXCLUDED, ROOT, sidebar, sitePath } from "./pages.mjs";
import { miniSearch } from "./search.mjs";

const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(ROOT, "docs/logo.svg"), "utf8"))}`;

/** The pages are outside this folder, where Vite does not find Vue. The rendered site finds it in this folder. */
const vueFromHere = {
  name: "vue-from-here",
  enforce: "pre" as const,
  resolveId: (id: string, _importer: string | undefined, { ssr }: { ssr?: boolean }) =>
    ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
};

export default defineConfig({
  title: "Quarterdeck",
  description:
    "Pulumi provider for Nomad jobs, HCP Terraform workspaces, Vault and OpenBao secrets engines, and Consul configuration entries",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: logo }]],
  srcDir: ROOT,
  srcExclude: EXCLUDED,
  rewrites: sitePath,
  metaChunk: true,
  markdown: {
    anchor: { slugify },
    // In the pages, braces are text, and not attributes.
    attrs: { disable: true },
    config: github,
  },
  // The search index is the largest chunk.
  vite: { plugins: [vueFromHere], build: { chunkSizeWarningLimit: 1500 } },
  themeConfig: {
    logo,
    nav: [
      { text: "Install", link: "/install" },
      { text: "Guides", link: "/overview" },
      { text: "Reference", link: "/reference/" },
      { text: "Changes", link: `${REPOSITORY}/blob/main/CHANGELOG.md` },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local", options: { miniSearch } },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: "Edit this page on GitHub" },
    externalLinkIcon: true,
  },
});
